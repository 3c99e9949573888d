// The interface of the store for uploaded files: a draft while bytes arrive, a blob under a name once it is kept.

import { StorageFault, type Trouble } from "../database/write-gate.ts";

/** The body of a file or of an answer. */
export type Data = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A file whose bytes are still arriving: on this machine's disk until `keep` or `discard`. */
export interface Draft {
  /** The path of the draft on disk, for code that has to look into it. */
  readonly path: string;
  /** Bytes written so far. */
  readonly size: number;
  /** Appends bytes; calls must not overlap. Throws unavailable when the disk takes no writes. */
  write(bytes: Uint8Array): Promise<void>;
  /** Moves the draft to its name; once this resolves, the file outlives a power cut. */
  keep(name: string): Promise<void>;
  /** Deletes the draft; does nothing after `keep`. */
  discard(): Promise<void>;
}

/** The longest piece in which a stream of a blob is read, in bytes. */
export const longestPiece = 256 * 1024;

export interface StoredBlob {
  readonly size: number;
  /** SHA-256 in hex, where the store keeps it. */
  readonly sha256?: string | undefined;
  /** The Hearth that wrote the blob, where the store keeps it. */
  readonly owner?: string | undefined;
  /** The whole file, or from byte `first` to byte `last`, both included. */
  bytes(first?: number, last?: number): Data;
}

export interface KeptBlob {
  readonly name: string;
  readonly size: number;
  /** When the last byte was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Read access to kept files. */
export interface KeptBlobs {
  find(name: string): Promise<StoredBlob | null>;
  /** All kept files, in no particular order; files kept or removed meanwhile may be missing or included. */
  all(): AsyncGenerator<KeptBlob>;
}

/** The store for kept files: a folder, or a remote store. Names are made by the server, never by people. */
export interface Blobs extends KeptBlobs {
  draft(): Promise<Draft>;
  /**
   * Returns false for a file that stays because another Hearth wrote it to the same store. Throws unavailable when
   * nothing can be removed, and another error when this file alone cannot.
   */
  remove(name: string): Promise<boolean>;
  /** Removes the file only if this Hearth wrote it, which excludes files copied into the store. */
  removeOwn(name: string): Promise<void>;
  /** True if the drafts' disk, with this many more bytes on it, has room left for everything else. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** Bytes free on the drafts' disk; a remote store does not report its free space. */
  freeBytes(): Promise<number>;
  /** Calls `hear` when the store begins to refuse files, and with undefined when it takes them again. */
  onTrouble(hear: (trouble: Trouble | undefined) => void): void;
  /**
   * Resolves with the reason why no files are accepted, as a sentence that may be shown; undefined while they are.
   * Checks a remote store, and waits a moment for its answer.
   */
  trouble(): Promise<string | undefined>;
  /** Calls `hear` once for each file whose bytes, when read, differ from those written. */
  onWrongBytes(hear: (name: string) => void): void;
  close(): void;
}

/** The bytes read differ from those written. */
export class WrongBytes extends StorageFault {
  override name = "WrongBytes";
}

/** The bytes of a body, piece by piece. */
export function piecesOf(data: Data): AsyncIterable<Uint8Array> {
  return (new Response(data).body ?? new ReadableStream()) as ReadableStream<Uint8Array>;
}
