// Files on their way to a message: checked first, sent two at once, and kept until the message is sent.
import type { Attachment } from "../features/files/contract.ts";
import { CallError } from "./call.ts";
import { randomId } from "./random-id.ts";

/** Why a file is not sent at all. */
export type FileProblem = "too big" | "type" | "empty" | "name";

type UploadState =
  | { is: "waiting" }
  | { is: "sending"; sent: number }
  | { is: "done"; attachment: Attachment }
  /** Another try makes no sense. */
  | { is: "refused"; problem: FileProblem | CallError }
  /** Another try may work. "not loaded": the part of the page that sends it did not come. */
  | { is: "failed"; error: CallError | "not loaded" };

export interface Upload {
  id: string;
  channelId: string;
  name: string;
  size: number;
  /** Absent of an upload that an earlier page finished. */
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

/** Sends one file; `onProgress` hears how many bytes have gone. */
export type SendFile = (file: Blob, name: string, onProgress: (sent: number) => void) => Sending;

/** More would only share the same line. */
const atOnce = 2;

/** The code that checks and sends files, loaded behind the first message, at the latest when somebody picks a file. */
export interface Sender {
  /** Returns why a file will not be sent, as far as a page can know. */
  problemOf(file: { name: string; size: number }, limits: UploadLimits): FileProblem | undefined;
  send: SendFile;
}

export class Uploads {
  readonly #load: () => Promise<Sender>;
  readonly #watchers = new Set<() => void>();
  readonly #cancels = new Map<string, () => void>();
  /** The limits of files that were not checked against them yet, by the file's id. */
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

  /** Takes as many as one message has room for. Returns how many were left out. */
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

  /** Puts back what a draft has kept. */
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

  /** Takes a file out again, and stops sending it. */
  remove(id: string): void {
    this.#unchecked.delete(id);
    this.#become(this.#all.filter((each) => each.id !== id));
    this.#cancels.get(id)?.();
    this.#pump();
  }

  /** Takes out what a message took along, and what could not be sent. */
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

  /** What was taken out meanwhile stays out. */
  #update(id: string, state: UploadState): void {
    if (!this.#all.some((each) => each.id === id)) return;
    this.#become(this.#all.map((each) => (each.id === id ? { ...each, state } : each)));
  }

  #become(all: readonly Upload[]): void {
    this.#all = all;
    for (const watcher of this.#watchers) watcher();
  }
}
