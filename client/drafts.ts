// What was written and not sent yet, by channel: kept over a reload, and over the end of the browser. Several tabs may
// write in one channel: each has a draft of its own, and drops no other.
import type { Attachment } from "../features/files/contract.ts";
import { type Later, later } from "./later.ts";
import { randomId } from "./random-id.ts";

export interface Draft {
  id: string;
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
  /** The newest first. */
  all(): Promise<readonly Draft[]>;
  keep(draft: Draft): Promise<void>;
  drop(draft: Draft): Promise<void>;
}

/** A draft of another page that a page has gone on with, as it was then; or that it dropped: it was sent, or emptied. */
interface Taken {
  id: string;
  changedAt: number;
  isGone: boolean;
}

/** This tab among those of the browser. */
export interface DraftTab {
  /** By channel, the id of the draft that was written in this tab last: a reload goes on with it. */
  last(channelId: string): string | undefined;
  note(channelId: string, id: string | undefined): void;
  /** Tells the other tabs. */
  tell(taken: Taken): void;
  onTold(heard: (taken: Taken) => void): void;
}

interface DraftOptions {
  store: DraftStore;
  tab: DraftTab;
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
  /** What other pages left besides, the newest first. */
  #aside: readonly Draft[] = [];
  /** Ids of the drafts that were begun here, or gone on with: others leave them alone. */
  readonly #own = new Set<string>();
  /** Channels whose draft is not written as it is now. */
  readonly #unwritten = new Set<string>();
  /** Ids of drafts that could not be written. */
  readonly #unkept = new Set<string>();
  #cancelWrite = () => {};
  #isOpen = false;

  constructor(options: DraftOptions) {
    this.#options = { later, now: Date.now, ...options };
    options.tab.onTold((taken) => this.#takenElsewhere(taken));
  }

  /** Whether what an earlier page left is there. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes up what earlier pages left; what was written here meanwhile is newer. */
  async open(): Promise<void> {
    const { store, tab } = this.#options;
    this.#aside = await store.all().catch(() => []);
    const kept = this.#aside;
    for (const draft of kept) if (draft.id === tab.last(draft.channelId)) this.#takeUp(draft);
    for (const draft of kept) this.#takeUp(draft);
    this.#isOpen = true;
    this.#tell();
  }

  /** Where nothing is written, goes on with the newest that another page left. */
  takeUp(channelId: string): void {
    this.#takeUp(this.#aside.find((each) => each.channelId === channelId));
    this.#tell();
  }

  #takeUp(draft: Draft | undefined): void {
    const here = draft && this.#drafts.get(draft.channelId);
    if (!draft || (here && !isEmpty(here))) return;
    this.#aside = this.#aside.filter((each) => each !== draft);
    this.#drafts.set(draft.channelId, draft);
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
    const { tab, now } = this.#options;
    const before = this.#drafts.get(channelId) ?? newDraft(channelId);
    const isOthers = before.changedAt > 0 && !this.#own.has(before.id);
    if (isOthers) tab.tell({ id: before.id, changedAt: before.changedAt, isGone: false });
    this.#become({ ...before, ...change, changedAt: now() });
    this.#bound();
    this.#cancelWrite();
    this.#cancelWrite = this.#options.later(restMs, () => this.write());
    this.#tell();
  }

  /** Forgets a draft: it was sent. What is kept of it goes `after` that, so that it is kept here or there all the time. */
  drop(channelId: string, after: Promise<unknown> = Promise.resolve()): void {
    const draft = this.#drafts.get(channelId);
    if (!draft) return;
    this.#drafts.delete(channelId);
    this.#unwritten.delete(channelId);
    this.#options.tab.note(channelId, undefined);
    void after.then(() => {
      this.#options.tab.tell({ id: draft.id, changedAt: draft.changedAt, isGone: true });
      return this.#drop(draft);
    });
    this.#tell();
  }

  /** Writes what is not written yet: after a pause, and before the page goes. */
  write(): void {
    this.#cancelWrite();
    for (const channelId of this.#unwritten) {
      const draft = this.#drafts.get(channelId);
      if (draft) void (isEmpty(draft) ? this.#drop(draft) : this.#keep(draft));
    }
    this.#unwritten.clear();
  }

  async #keep(draft: Draft): Promise<void> {
    try {
      await this.#options.store.keep(draft);
      this.#unkept.delete(draft.id);
    } catch {
      this.#unkept.add(draft.id);
    }
  }

  async #drop(draft: Draft): Promise<void> {
    this.#unkept.delete(draft.id);
    await this.#options.store.drop(draft).catch(() => {});
    // One that could not be kept may have failed meanwhile.
    this.#unkept.delete(draft.id);
  }

  /** What was written here stays, though another page goes on with its draft; what was sent there as it is here does not. */
  #takenElsewhere({ id, changedAt, isGone }: Taken): void {
    this.#aside = this.#aside.filter((each) => each.id !== id);
    if (!this.#own.delete(id)) return;
    const draft = [...this.#drafts.values()].find((each) => each.id === id);
    if (!draft || (isGone && draft.changedAt === changedAt)) return;
    this.#become({ ...draft, id: randomId() });
    this.write();
    this.#tell();
  }

  #become(draft: Draft): void {
    if (!this.#own.has(draft.id)) this.#options.tab.note(draft.channelId, draft.id);
    this.#own.add(draft.id);
    this.#drafts.set(draft.channelId, draft);
    this.#unwritten.add(draft.channelId);
  }

  #bound(): void {
    if (this.#drafts.size <= draftsMost) return;
    const oldest = [...this.#drafts.values()].sort(newestFirst).at(-1);
    if (!oldest) return;
    this.#drafts.delete(oldest.channelId);
    void this.#drop(oldest);
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

function newDraft(channelId: string): Draft {
  return { id: randomId(), channelId, text: "", replyTo: null, files: [], changedAt: 0 };
}

export function newestFirst(one: Draft, other: Draft): number {
  return other.changedAt - one.changedAt;
}

/** Of what is empty nothing is kept. */
export function isEmpty({ text, replyTo, files }: Draft): boolean {
  return text === "" && replyTo === null && files.length === 0;
}
