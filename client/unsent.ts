// Unsent messages, and the store that keeps them across reloads.

/** A message that the server does not have yet, or has not confirmed. */
export interface Unsent {
  /** Identifies the message for the server, which posts a nonce once. */
  nonce: string;
  /** The author: another person who signs in here does not send it. */
  authorId: string;
  channelId: string;
  content: string;
  replyTo: string | null;
  /** URLs of uploads. */
  attachments: readonly string[];
  /** Milliseconds since 1970, by this machine's clock. */
  writtenAt: number;
  state: "waiting" | "sending" | "failed";
  /** Why it failed: a sentence of the server. */
  failure?: string;
  /** Set after repeated server faults (5xx): the request id for the operator's log, empty if unknown. */
  faultId?: string;
  /** Failed because the server may have forgotten its nonce: only the author can tell whether it was posted. */
  isOld?: boolean;
  /** When the author confirmed that it is to be sent anyway. */
  confirmedAt?: number;
  /** When it is retried automatically, in milliseconds since 1970. */
  nextTryAt?: number;
}

/** Stores unsent messages across reloads. Messages that cannot be stored are sent all the same. */
export interface UnsentStore {
  all(): Promise<readonly Unsent[]>;
  keep(message: Unsent): Promise<void>;
  drop(nonce: string): Promise<void>;
  /** Calls `heard` when another page removes a message from the same store: it was sent there, or discarded. */
  onDropped?(heard: (nonce: string) => void): void;
}
