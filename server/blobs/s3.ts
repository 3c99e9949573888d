// Blobs in an S3 store: a draft is on this machine's disk, and goes to the store when it is kept.
import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../protocol/errors.ts";
import { StorageFault, WriteGate } from "../database/write-gate.ts";
import { deadline } from "../deadline.ts";
import { kept } from "../kept.ts";
import type { Blobs, Draft } from "./blobs.ts";
import { S3Fault } from "./s3-faults.ts";
import type { S3Objects } from "./s3-objects.ts";
import { PieceSums } from "./s3-reading.ts";

/** How long a start, and a check of the store's state, wait for the store, in milliseconds. */
const startMs = 5000;
const lookMs = 1000;
/** The most files with wrong bytes that are reported. */
const mostWrong = 1000;

/**
 * `drafts` holds the drafts; `owner` names this Hearth, which removes no other one's objects. Throws S3Fault when the
 * store rejects the settings; one that is down, full or fails is retried every `betweenTrialsMs`.
 */
export async function openS3(
  objects: S3Objects,
  drafts: Blobs,
  owner?: string,
  betweenTrialsMs?: number,
): Promise<Blobs> {
  const store = new Store(objects, betweenTrialsMs);
  await store.begin();
  return {
    draft: async () => new S3Draft(store, await drafts.draft(), owner),
    find: (name) => store.reading(() => objects.find(name, () => store.distrust(name))),
    async *all() {
      const blobs = objects.all();
      for (;;) {
        const { done, value } = await store.reading(() => blobs.next());
        if (done) return;
        yield value;
      }
    },
    remove: (name) =>
      store.removing(async () => {
        const of = await objects.ownerOf(name);
        if (of !== undefined && of !== owner) return false;
        await objects.remove(name);
        return true;
      }),
    removeOwn: (name) =>
      store.removing(async () => {
        if ((await objects.ownerOf(name)) === owner) await objects.remove(name);
      }),
    hasRoomFor: (bytes) => drafts.hasRoomFor(bytes),
    freeBytes: () => drafts.freeBytes(),
    onTrouble(hear) {
      drafts.onTrouble(hear);
      store.gate.onChange(hear);
    },
    onWrongBytes(hear) {
      store.hearWrong = hear;
    },
    trouble: async () => (await store.trouble()) ?? drafts.trouble(),
    close() {
      store.gate.stop();
      drafts.close();
    },
  };
}

/** The store, and its current state. */
class Store {
  readonly objects: S3Objects;
  readonly gate: WriteGate;
  /** True if reads fail, too. Only a successful trial ends it. */
  #isAway = false;
  readonly #look = kept(lookMs, () => this.#noting(() => this.objects.look()));

  constructor(objects: S3Objects, betweenTrialsMs?: number) {
    this.objects = objects;
    this.gate = new WriteGate(async () => {
      await objects.tryAll();
      this.#isAway = false;
    }, betweenTrialsMs);
  }

  hearWrong: (name: string) => void = () => {};
  /** Files whose bytes differ from those written: each is reported once. */
  readonly #wrong = new Set<string>();

  distrust(name: string): void {
    if (this.#wrong.has(name) || this.#wrong.size >= mostWrong) return;
    this.#wrong.add(name);
    this.hearWrong(name);
  }

  /** Throws S3Fault when the store rejects the settings. */
  async begin(): Promise<void> {
    const inTime = deadline(startMs, () => this.objects.silence());
    try {
      await this.#noting(() => inTime(this.objects.tryAll()));
    } catch (error) {
      if (error instanceof S3Fault && !error.isOfSettings) return;
      this.gate.stop();
      throw error;
    }
  }

  /** Runs work that writes. When the store refuses it, this call and all later ones are refused as unavailable. */
  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#asking(true, work);
  }

  /** Like `writing`, but goes on while only writes are refused. */
  reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#asking(this.#isAway, work);
  }

  /**
   * Runs work that removes one object, also from a full store, since that makes room. Throws S3Fault when only this
   * object cannot be removed; that does not shut the gate.
   */
  async removing<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isAway) await this.reading(async () => {});
    try {
      return await work();
    } catch (error) {
      await this.reading(() => this.objects.tryRemoving());
      throw error;
    }
  }

  /** Waits only a moment: a check that fails later still shuts the gate. */
  async trouble(): Promise<string | undefined> {
    if (!this.gate.trouble) await Promise.race([this.#look(), sleep(lookMs)]).catch(() => {});
    return this.gate.trouble?.sentence;
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
  readonly #pieceSums = new PieceSums();

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
    this.#pieceSums.update(bytes);
    await this.#draft.write(bytes);
  }

  async keep(name: string): Promise<void> {
    const sums = { sha256: this.#sum.digest("hex"), pieceSums: this.#pieceSums.digest() };
    const body = { bytes: await openAsBlob(this.path), ...sums };
    await this.#store.writing(() => this.#store.objects.put(name, body, this.#owner));
    await this.#draft.discard();
  }

  discard(): Promise<void> {
    return this.#draft.discard();
  }
}
