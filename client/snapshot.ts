// The last state of a page, stored for the next start: shown at once, even without a network, until READY replaces it.
import type { User } from "../features/accounts/contract.ts";
import type { Message } from "../features/messages/contract.ts";
import { messageDeleted, messageUpdated } from "../features/messages/events.ts";
import type { ReadState } from "../features/read-states/contract.ts";
import { is } from "../protocol/event.ts";
import { valuesAfter } from "../protocol/unchanged.ts";
import type { Chat } from "./chat.ts";
import type { Copy } from "./copy.ts";
import { type Later, later } from "./later.ts";
import { channelIdsIn } from "./servers.ts";
import { atRest, type Span, type Window } from "./window.ts";

/** Everything but the messages. Presence, voice, calls and typing are outdated by then, so they are left out. */
type Places = Omit<Copy, "windows" | "typists" | "readStates" | "heard"> & {
  version: string;
  readStates: readonly ReadState[];
};

/** Stores named entries. Those that cannot be stored are missing at the next start, nothing more. */
export interface SnapshotStore {
  all(): Promise<readonly (readonly [string, unknown])[]>;
  /**
   * Writes entries and deletes those in `gone`, or all others without it. One transaction, as a page that is closing
   * does not live to begin a second one.
   */
  keep(entries: readonly (readonly [string, unknown])[], gone?: readonly string[]): Promise<void>;
}

interface SnapshotOptions {
  chat: Chat;
  store: SnapshotStore;
  /** The program's version: another one may read copies differently. */
  version: string;
  later?: Later;
}

/** The most channels whose newest messages are stored: the most recently shown ones. */
const mostChannels = 20;
/** Delay between a change and its write, in milliseconds: a busy channel changes all the time. */
const restMs = 5000;
const placesName = "places";

export class Snapshot {
  readonly #options: Required<SnapshotOptions>;
  /** The copy as last written; undefined if the stored state is unknown. */
  #written: Copy | undefined;
  /** Channels whose messages are stored, the least recently written first. */
  #kept = new Set<string>();
  #isOn = false;
  #isDue = false;
  #cancelWrite = () => {};

  constructor(options: SnapshotOptions) {
    this.#options = { later, ...options };
    options.chat.subscribe(() => this.#look());
    options.chat.listen((frame) => {
      if (is(frame, messageUpdated) || is(frame, messageDeleted))
        this.#changedElsewhere(frame.data.channel_id);
    });
  }

  /** Drops a stored page at the first edit or deletion in it if the copy lacks the channel, and cannot update it. */
  #changedElsewhere(channelId: string): void {
    if (this.#options.chat.state.copy?.windows.has(channelId) || !this.#kept.delete(channelId)) return;
    void this.#options.store.keep([], [nameOf(channelId)]).catch(() => {});
  }

  /** Shows the stored copy of this person, unless READY was faster. Returns whether it is shown. */
  async show(userId: string): Promise<boolean> {
    const { chat, store, version } = this.#options;
    const kept = new Map(await store.all().catch(() => []));
    const places = kept.get(placesName) as Places | undefined;
    if (places?.version !== version || places.user.id !== userId) return false;
    const copy = copyOf(places, kept);
    if (!chat.begin(copy)) return false;
    this.#kept = new Set(copy.windows.keys());
    this.#written = copy;
    return true;
  }

  /** Starts storing the copy. */
  begin(): void {
    this.#isOn = true;
    this.#look();
  }

  /** Stops storing; the stored state stays. */
  end(): void {
    this.#isOn = false;
    this.#isDue = false;
    this.#cancelWrite();
  }

  /** Stops storing, and deletes the stored state. */
  async forget(): Promise<void> {
    this.end();
    this.#written = undefined;
    this.#kept.clear();
    await this.#options.store.keep([]).catch(() => {});
  }

  /** Writes pending changes: called after a pause, and before the page closes. */
  write(): void {
    this.#isDue = false;
    this.#cancelWrite();
    const { copy, generation } = this.#options.chat.state;
    if (!this.#isOn || !copy || generation === 0 || copy === this.#written) return;
    const isFirst = this.#written === undefined;
    const changed = [...this.#placesOf(copy), ...this.#windowsOf(copy)];
    const gone = this.#goneFrom(copy);
    const entries = changed.filter(([name]) => !gone.includes(name));
    this.#written = copy;
    if (entries.length === 0 && gone.length === 0) return;
    void this.#options.store.keep(entries, isFirst ? undefined : gone).catch(() => {});
  }

  #look(): void {
    if (!this.#isOn || this.#isDue || this.#options.chat.state.copy === this.#written) return;
    this.#isDue = true;
    this.#cancelWrite = this.#options.later(restMs, () => this.write());
  }

  #placesOf(copy: Copy): [string, Places][] {
    const { windows, typists, heard, ...places } = copy;
    const before = this.#written;
    if (Object.entries(places).every(([name, value]) => before?.[name as keyof Copy] === value)) return [];
    const { servers, direct, readStates } = places;
    const kept = {
      ...places,
      version: this.#options.version,
      direct: valuesAfter(direct, ({ recipients, ...each }) => ({
        ...{ ...each, recipients: recipients.map(away), voice: [], call: null },
      })),
      servers: servers.map((server) => ({ ...server, voice: [], presences: [] })),
      readStates: [...readStates.values()],
    };
    return [[placesName, kept]];
  }

  #windowsOf({ windows }: Copy): [string, Span][] {
    const entries: [string, Span][] = [];
    for (const [channelId, window] of windows) {
      if (window === this.#written?.windows.get(channelId)) continue;
      const live = atRest(window)?.live;
      if (!live) continue;
      this.#kept.delete(channelId);
      this.#kept.add(channelId);
      entries.push([nameOf(channelId), live]);
    }
    return entries;
  }

  /** Returns the names of entries to delete. */
  #goneFrom(copy: Copy): string[] {
    const channelIds = channelIdsIn(copy);
    const gone: string[] = [];
    for (const id of this.#kept) {
      if (channelIds.has(id) && this.#kept.size <= mostChannels) continue;
      this.#kept.delete(id);
      gone.push(nameOf(id));
    }
    return gone;
  }
}

function away(user: User): User {
  return { ...user, presence: "offline" };
}

function nameOf(channelId: string): string {
  return `messages/${channelId}`;
}

function copyOf({ version, readStates, ...places }: Places, kept: ReadonlyMap<string, unknown>): Copy {
  const windows = new Map<string, Window>();
  for (const id of channelIdsIn(places)) {
    const live = kept.get(nameOf(id)) as { messages: readonly Message[]; hasOlder: boolean } | undefined;
    if (live) windows.set(id, { live });
  }
  return {
    ...{ ...places, windows },
    typists: [],
    heard: [],
    readStates: new Map(readStates.map((state) => [state.channel_id, state])),
  };
}
