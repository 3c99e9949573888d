// What was written and not sent yet, by channel: kept over a reload, and over the end of the browser.
import type { Attachment } from "../features/files/contract.ts";
import { type Later, later } from "./later.ts";

export interface Draft {
  channelId: string;
  text: string;
  replyTo: string | null;
  /** What was uploaded for it. */
  files: readonly Attachment[];
  /** Milliseconds since 1970, by this machine's clock. */
  changedAt: number;
}

/** Keeps drafts. What cannot be kept is there as long as the page is. */
export interface DraftStore {
  all(): Promise<readonly Draft[]>;
  keep(draft: Draft): Promise<void>;
  drop(channelId: string): Promise<void>;
}

interface DraftOptions {
  store: DraftStore;
  later?: Later;
  now?: () => number;
}

/** So many are kept; the oldest one makes room. */
export const draftsMost = 100;
/** A pause in typing after which a draft is written. */
const restMs = 300;

export class Drafts {
  readonly #options: Required<DraftOptions>;
  readonly #watchers = new Set<() => void>();
  readonly #drafts = new Map<string, Draft>();
  /** Channels whose draft is not written as it is now. */
  readonly #unwritten = new Set<string>();
  /** Channels whose draft could not be written. */
  readonly #unkept = new Set<string>();
  #cancelWrite = () => {};
  #isOpen = false;

  constructor(options: DraftOptions) {
    this.#options = { later, now: Date.now, ...options };
  }

  /** Whether what an earlier page left is there. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes up what an earlier page left; what was written here meanwhile is newer. */
  async open(): Promise<void> {
    const kept = await this.#options.store.all().catch(() => []);
    for (const draft of kept) {
      const here = this.#drafts.get(draft.channelId);
      if (!here || isEmpty(here)) this.#drafts.set(draft.channelId, draft);
    }
    this.#isOpen = true;
    this.#tell();
  }

  /** Whether something would be lost with the page, as the browser does not keep it. */
  get isAtRisk(): boolean {
    return this.#unkept.size > 0;
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  get(channelId: string): Draft | undefined {
    return this.#drafts.get(channelId);
  }

  change(channelId: string, change: Partial<Pick<Draft, "text" | "replyTo" | "files">>): void {
    const before = this.#drafts.get(channelId);
    const after: Draft = {
      ...{ text: "", replyTo: null, files: [], ...before, channelId },
      ...change,
      changedAt: this.#options.now(),
    };
    this.#drafts.set(channelId, after);
    this.#unwritten.add(channelId);
    this.#bound();
    this.#cancelWrite();
    this.#cancelWrite = this.#options.later(restMs, () => this.write());
    this.#tell();
  }

  /** Forgets a draft: it was sent. */
  drop(channelId: string): void {
    if (!this.#drafts.has(channelId)) return;
    this.#drafts.delete(channelId);
    this.#unwritten.add(channelId);
    this.write();
    this.#tell();
  }

  /** Writes what is not written yet: after a pause, and before the page goes. */
  write(): void {
    this.#cancelWrite();
    for (const channelId of this.#unwritten) void this.#writeOne(channelId);
    this.#unwritten.clear();
  }

  async #writeOne(channelId: string): Promise<void> {
    const { store } = this.#options;
    const draft = this.#drafts.get(channelId);
    const isThere = draft !== undefined && !isEmpty(draft);
    try {
      await (isThere ? store.keep(draft) : store.drop(channelId));
      this.#unkept.delete(channelId);
    } catch {
      if (isThere) this.#unkept.add(channelId);
      else this.#unkept.delete(channelId);
    }
  }

  #bound(): void {
    if (this.#drafts.size <= draftsMost) return;
    const [oldest] = [...this.#drafts.values()].sort((one, other) => one.changedAt - other.changedAt);
    if (!oldest) return;
    this.#drafts.delete(oldest.channelId);
    this.#unwritten.add(oldest.channelId);
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

function isEmpty({ text, replyTo, files }: Draft): boolean {
  return text === "" && replyTo === null && files.length === 0;
}
