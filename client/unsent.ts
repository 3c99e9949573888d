// What an unsent message is, and what keeps it over a reload.

/** A message that the server does not have yet, or did not say that it has. */
export interface Unsent {
  /** Names it for the server, which posts a nonce once. */
  nonce: string;
  /** The writer: another person who signs in here does not send it. */
  authorId: string;
  channelId: string;
  content: string;
  replyTo: string | null;
  /** Addresses of uploads. */
  attachments: readonly string[];
  /** Milliseconds since 1970, by this machine's clock. */
  writtenAt: number;
  state: "waiting" | "sending" | "failed";
  /** Why it failed: a sentence of the server's. */
  failure?: string;
  /** The server had a fault (5xx) more than once: the request that the operator finds in the log, empty where none is known. */
  faultId?: string;
  /** It failed because the server may have forgotten its nonce: whether it is there already, only its writer can tell. */
  isOld?: boolean;
  /** When its writer said that it is to be sent all the same. */
  confirmedAt?: number;
  /** When it is sent again by itself, in milliseconds since 1970. */
  nextTryAt?: number;
}

/** Keeps unsent messages over a reload. What cannot be kept is sent all the same. */
export interface UnsentStore {
  all(): Promise<readonly Unsent[]>;
  keep(message: Unsent): Promise<void>;
  drop(nonce: string): Promise<void>;
  /** Calls `heard` when another page drops a message from the same store: it was sent there, or discarded. */
  onDropped?(heard: (nonce: string) => void): void;
}
