// Files on their way to a message: checked first, sent two at once, and kept until the message is sent.
import type { Attachment } from "../features/files/contract.ts";
import { extensionOf, uploadExtensions } from "../protocol/upload-extensions.ts";
import { CallError } from "./call.ts";

/** Why a file is not sent at all. */
export type FileProblem = "too big" | "type" | "empty" | "name";

export type UploadState =
  | { is: "waiting" }
  | { is: "sending"; sent: number }
  | { is: "done"; attachment: Attachment }
  /** Another try makes no sense. */
  | { is: "refused"; problem: FileProblem | CallError }
  /** Another try may work. */
  | { is: "failed"; error: CallError };

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

/** Returns what keeps a file from being sent, as far as it can be known here. */
export function problemOf(
  file: { name: string; size: number },
  limits: UploadLimits,
): FileProblem | undefined {
  if (file.size > limits.upload_bytes_max) return "too big";
  if (!(uploadExtensions as readonly string[]).includes(extensionOf(file.name))) return "type";
  if (file.size === 0) return "empty";
  return [...file.name].length > limits.upload_name_max ? "name" : undefined;
}

export class Uploads {
  readonly #send: SendFile;
  readonly #watchers = new Set<() => void>();
  readonly #cancels = new Map<string, () => void>();
  #all: readonly Upload[] = [];

  constructor(send: SendFile) {
    this.#send = send;
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
      const problem = problemOf(file, limits);
      const state: UploadState = problem ? { is: "refused", problem } : { is: "waiting" };
      return { id: crypto.randomUUID(), channelId, name: file.name, size: file.size, file, state };
    });
    this.#become([...this.#all, ...taken]);
    this.#pump();
    return files.length - taken.length;
  }

  /** Puts back what a draft has kept. */
  restore(channelId: string, attachments: readonly Attachment[]): void {
    if (attachments.length === 0) return;
    const restored = attachments.map(
      (attachment): Upload => ({
        id: crypto.randomUUID(),
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
    this.#pump();
  }

  /** Takes a file out again, and stops sending it. */
  remove(id: string): void {
    this.#become(this.#all.filter((each) => each.id !== id));
    this.#cancels.get(id)?.();
    this.#pump();
  }

  /** Takes out what a message took along, and what could not be sent. */
  clear(channelId: string): void {
    for (const { id } of this.of(channelId)) this.remove(id);
  }

  #pump(): void {
    for (const each of this.#all) {
      if (this.#cancels.size >= atOnce) return;
      if (each.state.is === "waiting" && each.file) void this.#sendOne(each, each.file);
    }
  }

  async #sendOne({ id, name }: Upload, file: Blob): Promise<void> {
    this.#update(id, { is: "sending", sent: 0 });
    const { done, cancel } = this.#send(file, name, (sent) => this.#update(id, { is: "sending", sent }));
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
