// Blobs in an S3 store: a draft lies on this machine's disk, and goes to the store when it is kept.
import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { Refusal } from "../../protocol/errors.ts";
import { StorageFault, WriteGate } from "../database/write-gate.ts";
import type { Blobs, Draft } from "./blobs.ts";
import { S3Fault } from "./s3-faults.ts";
import type { S3Objects } from "./s3-objects.ts";

/**
 * `drafts` is where drafts lie; `owner` names this Hearth, so that another one in the same bucket removes nothing of it.
 * Throws S3Fault when the store cannot be used.
 */
export async function openS3(objects: S3Objects, drafts: Blobs, owner?: string): Promise<Blobs> {
  await objects.tryAll();
  const store = new Store(objects);
  const remove = (name: string) => store.writing(() => objects.remove(name));
  return {
    draft: async () => new S3Draft(store, await drafts.draft(), owner),
    find: (name) => store.reading(() => objects.find(name)),
    all: () => objects.all(),
    remove,
    async removeOwn(name) {
      if ((await store.reading(() => objects.ownerOf(name))) === owner) await remove(name);
    },
    hasRoomFor: (bytes) => drafts.hasRoomFor(bytes),
    freeBytes: () => drafts.freeBytes(),
    onTrouble(hear) {
      drafts.onTrouble(hear);
      store.gate.onChange(hear);
    },
    async ping() {
      await drafts.ping();
      await store.ping();
    },
    close() {
      store.gate.stop();
      drafts.close();
    },
  };
}

/** The store, and whether it does what it is asked at the moment. */
class Store {
  readonly objects: S3Objects;
  readonly gate: WriteGate;
  /** Whether nothing can be read either. Only a trial that succeeds ends it. */
  #isAway = false;

  constructor(objects: S3Objects) {
    this.objects = objects;
    this.gate = new WriteGate(async () => {
      await objects.tryAll();
      this.#isAway = false;
    });
  }

  /** Runs work that writes. When the store refuses it, the call and all later ones are refused as unavailable. */
  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#asking(true, work);
  }

  /** Like `writing`, but goes on while the store only takes no writes. */
  reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#asking(this.#isAway, work);
  }

  async ping(): Promise<void> {
    await this.gate.checkNow();
    await this.#noting(() => this.objects.look());
  }

  async #asking<T>(needsGate: boolean, work: () => Promise<T>): Promise<T> {
    try {
      if (needsGate) this.gate.check();
      return await this.#noting(work);
    } catch (error) {
      if (error instanceof StorageFault)
        throw new Refusal("unavailable", "Files cannot be had at the moment. Tell the operator.", {
          retryAfter: 2,
        });
      throw error;
    }
  }

  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof S3Fault) {
        this.#isAway ||= error.isAway;
        this.gate.shut(error.message, error.cause);
      }
      throw error;
    }
  }
}

class S3Draft implements Draft {
  readonly #store: Store;
  readonly #draft: Draft;
  readonly #owner: string | undefined;
  readonly #sum = createHash("sha256");

  constructor(store: Store, draft: Draft, owner: string | undefined) {
    this.#store = store;
    this.#draft = draft;
    this.#owner = owner;
  }

  get path(): string {
    return this.#draft.path;
  }

  get size(): number {
    return this.#draft.size;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#sum.update(bytes);
    await this.#draft.write(bytes);
  }

  async keep(name: string): Promise<void> {
    const body = { bytes: await openAsBlob(this.path), sha256: this.#sum.digest("hex") };
    await this.#store.writing(() => this.#store.objects.put(name, body, this.#owner));
    await this.#draft.discard();
  }

  discard(): Promise<void> {
    return this.#draft.discard();
  }
}
