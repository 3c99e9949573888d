// Where files lie that people gave: a draft while they arrive, a blob under a name once they are kept.

import type { Trouble } from "../database/write-gate.ts";

/** What an answer or a file may be read as. */
export type Data = string | Blob | ReadableStream<Uint8Array>;

/** A file on its way in: on this machine's disk until it is kept, and gone when it is not. */
export interface Draft {
  /** Where it lies meanwhile, for whoever must look into it. */
  readonly path: string;
  /** Bytes written so far. */
  readonly size: number;
  /** One call after the other. Throws unavailable when the disk does not take them. */
  write(bytes: Uint8Array): Promise<void>;
  /** From here on it is found under this name; when this resolves it outlives a power cut. */
  keep(name: string): Promise<void>;
  /** Lets go of it; after `keep` there is nothing to let go of. */
  discard(): Promise<void>;
}

export interface StoredBlob {
  readonly size: number;
  /** All of it, or from byte `first` to byte `last`, both included. */
  bytes(first?: number, last?: number): Data;
}

export interface KeptBlob {
  readonly name: string;
  /** When its last byte was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Names are made by this house, never by people; what stands behind may be a folder or a store elsewhere. */
export interface Blobs {
  draft(): Promise<Draft>;
  find(name: string): Promise<StoredBlob | null>;
  /** Everything that is kept, in no order; what is kept or removed meanwhile may be among it or not. */
  all(): AsyncGenerator<KeptBlob>;
  /** Nothing happens when there is none. */
  remove(name: string): Promise<void>;
  /** Whether so many more bytes leave enough room for everything else that needs the disk. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** Tells when it begins to refuse files, and (undefined) when it takes them again. */
  onTrouble(hear: (trouble: Trouble | undefined) => void): void;
  /** Rejects with StorageFault, whose message may be shown, while it takes none. */
  ping(): Promise<void>;
  close(): void;
}
