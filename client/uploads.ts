// Uploads of a message: checked first, sent two at a time, and kept until the message is sent.
import type { Attachment } from "../features/files/contract.ts";
import { CallError } from "./call.ts";
import { randomId } from "./random-id.ts";

/** Why a file is rejected before the upload. */
export type FileProblem = "too big" | "type" | "empty" | "name";

type UploadState =
  | { is: "waiting" }
  | { is: "sending"; sent: number }
  | { is: "done"; attachment: Attachment }
  /** A retry makes no sense. */
  | { is: "refused"; problem: FileProblem | CallError }
  /** A retry may succeed. "not loaded": the module that uploads failed to load. */
  | { is: "failed"; error: CallError | "not loaded" };

export interface Upload {
  id: string;
  channelId: string;
  name: string;
  size: number;
  /** Absent for an upload that an earlier page finished. */
  file?: Blob;
  state: UploadState;
}

export interface UploadLimits {
  upload_bytes_max: number;
  attachments_max: number;
  upload_name_max: number;
}

export interface Sending {
  done: Promise<Attachment>;
  cancel(): void;
}

/** Uploads one file; `onProgress` receives the number of bytes sent. */
export type SendFile = (file: Blob, name: string, onProgress: (sent: number) => void) => Sending;

/** More would only share the same bandwidth. */
const atOnce = 2;

/** The module that checks and uploads files, loaded after the first message, at the latest when a file is picked. */
export interface Sender {
  /** Returns why a file would be rejected, as far as a page can know. */
  problemOf(file: { name: string; size: number }, limits: UploadLimits): FileProblem | undefined;
  send: SendFile;
}

export class Uploads {
  readonly #load: () => Promise<Sender>;
  readonly #watchers = new Set<() => void>();
  readonly #cancels = new Map<string, () => void>();
  /** The limits for files that have not been checked yet, by file id. */
  readonly #unchecked = new Map<string, UploadLimits>();
  #sender: Sender | undefined;
  #loading: Promise<Sender> | undefined;
  #all: readonly Upload[] = [];

  constructor(load: () => Promise<Sender>) {
    this.#load = load;
  }

  get all(): readonly Upload[] {
    return this.#all;
  }

  of(channelId: string): readonly Upload[] {
    return this.#all.filter((each) => each.channelId === channelId);
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Adds as many files as one message has room for. Returns how many were left out. */
  add(channelId: string, files: readonly File[], limits: UploadLimits): number {
    const room = Math.max(0, limits.attachments_max - this.of(channelId).length);
    const taken = files.slice(0, room).map((file): Upload => {
      const { name, size } = file;
      return { id: randomId(), channelId, name, size, file, state: { is: "waiting" } };
    });
    for (const { id } of taken) this.#unchecked.set(id, limits);
    this.#become([...this.#all, ...taken]);
    void this.#check();
    return files.length - taken.length;
  }

  /** Restores the files of a draft. */
  restore(channelId: string, attachments: readonly Attachment[]): void {
    if (attachments.length === 0) return;
    const restored = attachments.map(
      (attachment): Upload => ({
        id: randomId(),
        channelId,
        name: attachment.name,
        size: attachment.size,
        state: { is: "done", attachment },
      }),
    );
    this.#become([...this.#all, ...restored]);
  }

  retry(id: string): void {
    this.#update(id, { is: "waiting" });
    void this.#check();
  }

  /** Removes a file, and aborts its upload. */
  remove(id: string): void {
    this.#unchecked.delete(id);
    this.#become(this.#all.filter((each) => each.id !== id));
    this.#cancels.get(id)?.();
    this.#pump();
  }

  /** Removes the files that a message took along, and failed ones. */
  clear(channelId: string): void {
    for (const { id } of this.of(channelId)) this.remove(id);
  }

  async #check(): Promise<void> {
    try {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      this.#sender ??= await this.#loading;
    } catch {
      for (const id of this.#unchecked.keys()) this.#update(id, { is: "failed", error: "not loaded" });
      return;
    }
    for (const { id, name, size } of this.#all) {
      const limits = this.#unchecked.get(id);
      const problem = limits && this.#sender.problemOf({ name, size }, limits);
      if (problem) this.#update(id, { is: "refused", problem });
      this.#unchecked.delete(id);
    }
    this.#pump();
  }

  #pump(): void {
    for (const each of this.#all) {
      if (this.#cancels.size >= atOnce) return;
      if (each.state.is === "waiting" && each.file && this.#sender && !this.#unchecked.has(each.id))
        void this.#sendOne(each, each.file, this.#sender);
    }
  }

  async #sendOne({ id, name }: Upload, file: Blob, { send }: Sender): Promise<void> {
    this.#update(id, { is: "sending", sent: 0 });
    const { done, cancel } = send(file, name, (sent) => this.#update(id, { is: "sending", sent }));
    this.#cancels.set(id, cancel);
    try {
      const attachment = await done;
      this.#update(id, { is: "done", attachment });
    } catch (thrown) {
      const error = CallError.from(thrown);
      const mayWork = error.passes || error.code === "unauthenticated";
      this.#update(id, mayWork ? { is: "failed", error } : { is: "refused", problem: error });
    } finally {
      this.#cancels.delete(id);
      this.#pump();
    }
  }

  /** Removed files stay removed. */
  #update(id: string, state: UploadState): void {
    if (!this.#all.some((each) => each.id === id)) return;
    this.#become(this.#all.map((each) => (each.id === id ? { ...each, state } : each)));
  }

  #become(all: readonly Upload[]): void {
    this.#all = all;
    for (const watcher of this.#watchers) watcher();
  }
}
