// The interface of the store for uploaded files: a draft while bytes arrive, a blob under a name once it is kept.

import type { Trouble } from "../database/write-gate.ts";

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

/** Bytes of the longest piece in which a stream of a blob is read. */
export const longestPiece = 256 * 1024;

export interface StoredBlob {
  readonly size: number;
  /** SHA-256 in hex, where the store keeps it. */
  readonly sha256?: string | undefined;
  /** The whole file, or from byte `first` to byte `last`, both included. */
  bytes(first?: number, last?: number): Data;
}

export interface KeptBlob {
  readonly name: string;
  readonly size: number;
  /** When the last byte was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Files that are kept, to be read. */
export interface KeptBlobs {
  find(name: string): Promise<StoredBlob | null>;
  /** All kept files, in no order; files kept or removed meanwhile may be among them or not. */
  all(): AsyncGenerator<KeptBlob>;
}

/** Where files are kept: a folder, or a store elsewhere. Names are made by the server, never by people. */
export interface Blobs extends KeptBlobs {
  draft(): Promise<Draft>;
  /** Does nothing when there is no such file. */
  remove(name: string): Promise<void>;
  /** Like `remove`, but leaves a file of another Hearth, which was given the same store by mistake. */
  removeOwn(name: string): Promise<void>;
  /** Whether so many more bytes leave enough room for everything else on the disk of the drafts. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** Bytes that are left on the disk of the drafts; a store elsewhere does not say how much it has. */
  freeBytes(): Promise<number>;
  /** Calls `hear` when the store begins to refuse files, and with undefined when it takes them again. */
  onTrouble(hear: (trouble: Trouble | undefined) => void): void;
  /** Rejects with StorageFault, whose message may be shown, while the store takes no files. */
  ping(): Promise<void>;
  close(): void;
}

/** The bytes of a body, piece by piece. */
export function piecesOf(data: Data): AsyncIterable<Uint8Array> {
  return (new Response(data).body ?? new ReadableStream()) as ReadableStream<Uint8Array>;
}
