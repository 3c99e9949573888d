// Drafts: messages that are not sent yet, by channel, kept over a reload and over the end of the browser. Several tabs may
// write in one channel: a stored version of a draft is never changed, only replaced by a page that has read it.
import type { Attachment } from "../features/files/contract.ts";
import { type Later, later } from "./later.ts";
import { randomId } from "./random-id.ts";

export interface Draft {
  /** Identifies this version of the draft; every later version has an id of its own. */
  id: string;
  channelId: string;
  text: string;
  replyTo: string | null;
  /** Files that were uploaded for this message. */
  files: readonly Attachment[];
  /** Milliseconds since 1970, by this machine's clock. */
  changedAt: number;
}

/** Stores drafts. A draft that cannot be stored lasts as long as the page. */
export interface DraftStore {
  /** Returns the stored drafts, the newest first. */
  all(): Promise<readonly Draft[]>;
  /** Replaces the version `before` by `draft`, or only deletes it if `draft` is empty. No other version is touched. */
  replace(before: Draft, draft: Draft): Promise<void>;
}

/** A message between tabs: one of them has replaced a version. */
interface Told {
  id: string;
  /** The replacement; null if the draft was sent or discarded, undefined if it made room for newer ones. */
  draft?: Draft | null | undefined;
}

/** This tab among those of the browser. */
export interface DraftTab {
  /** The id of the draft last written in this tab, by channel: a reload continues with it. */
  last(channelId: string): string | undefined;
  note(channelId: string, id: string): void;
  /** Tells the other tabs. */
  tell(told: Told): void;
  onTold(heard: (told: Told) => void): void;
}

interface DraftOptions {
  store: DraftStore;
  tab: DraftTab;
  later?: Later;
  now?: () => number;
}

/** The most drafts that are kept; the oldest ones are dropped. */
export const draftsMost = 100;
/** Pause in typing after which a draft is written, in milliseconds. */
const restMs = 300;

export class Drafts {
  readonly #options: Required<DraftOptions>;
  readonly #watchers = new Set<() => void>();
  /** By channel, the draft that its room shows. */
  readonly #drafts = new Map<string, Draft>();
  /** Drafts of other pages that no room shows, the newest first. */
  #aside: readonly Draft[] = [];
  /** By channel with unwritten changes: the version that the draft was made from. */
  readonly #unwritten = new Map<string, Draft>();
  /** Channels whose draft could not be stored. */
  readonly #unkept = new Set<string>();
  /** Messages of other tabs that arrived before the stored drafts were read, which may be older than these messages. */
  readonly #early: Told[] = [];
  /** The channel that was opened last. */
  #room: string | undefined;
  #cancelWrite = () => {};
  #isOpen = false;

  constructor(options: DraftOptions) {
    this.#options = { later, now: Date.now, ...options };
    options.tab.onTold((told) => (this.#isOpen ? this.#heard(told) : this.#early.push(told)));
  }

  /** False until `open` has read the drafts that the browser stores. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Reads the stored drafts; a draft that was begun here meanwhile is newer. */
  async open(): Promise<void> {
    this.#aside = await this.#options.store.all().catch(() => []);
    this.#isOpen = true;
    this.write();
    for (const { channelId } of this.#aside) this.#takeUp(channelId);
    for (const told of this.#early) this.#heard(told);
    this.#tell();
  }

  /** Called when a channel is opened: if nothing is written there, continues with the newest draft of another page. */
  takeUp(channelId: string): void {
    this.#room = channelId;
    this.write();
    for (const old of this.#all().sort(newestFirst).slice(draftsMost)) {
      if (old.channelId === channelId) continue;
      if (this.#drafts.get(old.channelId) === old) this.#drafts.delete(old.channelId);
      void this.#replace(old, undefined);
    }
    this.#takeUp(channelId);
    this.#tell();
  }

  #takeUp(channelId: string): void {
    const here = this.#drafts.get(channelId);
    if (here && !isEmpty(here)) return;
    const left = this.#aside.filter((each) => each.channelId === channelId);
    const draft = left.find((each) => this.#isOwn(each)) ?? left[0];
    if (!draft) return;
    this.#aside = this.#aside.filter((each) => each !== draft);
    this.#drafts.set(channelId, draft);
  }

  /** True if something would be lost with the page, as the browser could not store it. */
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
    // Above all others, whatever the clock says, as the oldest ones are dropped.
    const changedAt = Math.max(this.#options.now(), ...this.#all().map((each) => each.changedAt + 1));
    this.#become(this.#drafts.get(channelId) ?? newDraft(channelId), { ...change, changedAt });
    this.#cancelWrite();
    this.#cancelWrite = this.#options.later(restMs, () => this.write());
    this.#tell();
  }

  /** Removes a sent draft: from the channel at once, from the store `after` the outbox has stored the message. */
  drop(channelId: string, after: Promise<unknown> = Promise.resolve()): void {
    const draft = this.#drafts.get(channelId);
    if (!draft) return;
    const before = this.#unwritten.get(channelId);
    this.#drafts.delete(channelId);
    this.#unwritten.delete(channelId);
    this.#unkept.delete(channelId);
    void after.then(() => this.#replace(before ?? draft, before ? newDraft(channelId) : null));
    this.#tell();
  }

  /** Stores the changed drafts: called after a pause, and before the page closes. */
  write(): void {
    this.#cancelWrite();
    for (const [channelId, before] of this.#unwritten)
      void this.#replace(before, this.#drafts.get(channelId));
    this.#unwritten.clear();
  }

  async #replace(before: Draft, told: Told["draft"]): Promise<void> {
    const { id, channelId } = before;
    const draft = told ?? newDraft(channelId);
    this.#aside = this.#aside.filter((each) => each.id !== id);
    this.#options.tab.tell({ id, draft: told });
    const isKept = await this.#options.store.replace(before, draft).then(
      () => true,
      () => isEmpty(draft),
    );
    if (this.#drafts.get(channelId) !== draft) return;
    if (isKept) this.#unkept.delete(channelId);
    else this.#unkept.add(channelId);
  }

  /**
   * Another tab has replaced a version. A draft that was written in this tab stays, as does the one on the screen if it only
   * had to make room. A draft that this tab shows without having written in it follows the other tab.
   */
  #heard({ id, draft }: Told): void {
    this.#aside = this.#aside.filter((each) => each.id !== id);
    const shown = [...this.#drafts.values()].find((each) => each.id === id);
    const isSeen = shown?.channelId === this.#room;
    if (shown && draft !== null && (this.#isOwn(shown) || (isSeen && !draft))) {
      this.#become(shown);
      this.write();
    } else if (shown) this.#drafts.delete(shown.channelId);
    if (draft && !isEmpty(draft) && !this.#all().some((each) => each.id === draft.id)) {
      this.#aside = [...this.#aside, draft].sort(newestFirst);
      if (shown) this.#takeUp(draft.channelId);
    }
    this.#tell();
  }

  #become(before: Draft, change: Partial<Draft> = {}): void {
    const { channelId } = before;
    const isBegun = this.#unwritten.has(channelId);
    const id = isBegun ? before.id : randomId();
    this.#drafts.set(channelId, { ...before, ...change, id });
    if (isBegun) return;
    this.#unwritten.set(channelId, before);
    this.#options.tab.note(channelId, id);
  }

  #isOwn({ id, channelId }: Draft): boolean {
    return id === this.#options.tab.last(channelId);
  }

  #all(): Draft[] {
    return [...this.#drafts.values(), ...this.#aside];
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

/** An empty draft is not stored. */
export function isEmpty({ text, replyTo, files }: Draft): boolean {
  return text === "" && replyTo === null && files.length === 0;
}
