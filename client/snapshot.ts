// What a page saw last, kept for the next start: it is shown at once, also without a network, until READY replaces it.
import type { Message } from "../features/messages/contract.ts";
import { messageDeleted, messageUpdated } from "../features/messages/events.ts";
import type { ReadState } from "../features/read-states/contract.ts";
import { is } from "../protocol/event.ts";
import type { Chat } from "./chat.ts";
import type { Copy } from "./copy.ts";
import { type Later, later } from "./later.ts";
import { atRest, type Span, type Window } from "./window.ts";

/** Everything but the messages. Who is here, speaks or types is not known later, so it is left out. */
type Places = Pick<Copy, "user" | "servers" | "blocked" | "notificationSettings"> & {
  version: string;
  readStates: readonly ReadState[];
};

/** Named entries. What cannot be kept is only missing at the next start. */
export interface SnapshotStore {
  all(): Promise<readonly (readonly [string, unknown])[]>;
  /**
   * Writes entries and drops those that are named, or all others where none are named. It is one transaction: a page
   * that goes does not live to begin a second one.
   */
  keep(entries: readonly (readonly [string, unknown])[], gone?: readonly string[]): Promise<void>;
}

interface SnapshotOptions {
  chat: Chat;
  store: SnapshotStore;
  /** Of this program: another one may read copies otherwise. */
  version: string;
  later?: Later;
}

/** The newest messages of so many channels are kept: of those that were shown last. */
const mostChannels = 20;
/** After a change it is written so much later, in milliseconds: a busy channel changes all the time. */
const restMs = 5000;
const placesName = "places";

export class Snapshot {
  readonly #options: Required<SnapshotOptions>;
  /** As it was written last; undefined: nothing of what is kept is known. */
  #written: Copy | undefined;
  /** Channels whose messages are kept, those written longest ago first. */
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

  /** A kept page of a channel that the copy no longer holds cannot be updated: the first edit or deletion in it drops it. */
  #changedElsewhere(channelId: string): void {
    if (this.#options.chat.state.copy?.windows.has(channelId) || !this.#kept.delete(channelId)) return;
    void this.#options.store.keep([], [nameOf(channelId)]).catch(() => {});
  }

  /** Shows what was kept of this person, unless READY was faster. Returns whether it is shown. */
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

  /** From now on what is seen is kept. */
  begin(): void {
    this.#isOn = true;
    this.#look();
  }

  /** Nothing more is kept; what is there stays. */
  end(): void {
    this.#isOn = false;
    this.#isDue = false;
    this.#cancelWrite();
  }

  /** Nothing more is kept, and nothing stays. */
  async forget(): Promise<void> {
    this.end();
    this.#written = undefined;
    this.#kept.clear();
    await this.#options.store.keep([]).catch(() => {});
  }

  /** Writes what is not written yet: after a pause, and before the page goes. */
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
    const { user, servers, blocked, notificationSettings, readStates } = copy;
    const before = this.#written;
    const isSame =
      before?.user === user &&
      before.servers === servers &&
      before.blocked === blocked &&
      before.notificationSettings === notificationSettings &&
      before.readStates === readStates;
    if (isSame) return [];
    const { version } = this.#options;
    const places = {
      ...{ version, user, blocked, notificationSettings },
      servers: servers.map((server) => ({ ...server, voice: [], presences: [] })),
      readStates: [...readStates.values()],
    };
    return [[placesName, places]];
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

  /** Returns the names of entries that have no place any more. */
  #goneFrom({ servers }: Copy): string[] {
    const channelIds = new Set(servers.flatMap(({ channels }) => channels.map(({ id }) => id)));
    const gone: string[] = [];
    for (const id of this.#kept) {
      if (channelIds.has(id) && this.#kept.size <= mostChannels) continue;
      this.#kept.delete(id);
      gone.push(nameOf(id));
    }
    return gone;
  }
}

function nameOf(channelId: string): string {
  return `messages/${channelId}`;
}

function copyOf(places: Places, kept: ReadonlyMap<string, unknown>): Copy {
  const { user, servers, blocked, notificationSettings, readStates } = places;
  const windows = new Map<string, Window>();
  for (const { id } of servers.flatMap(({ channels }) => channels)) {
    const live = kept.get(nameOf(id)) as { messages: readonly Message[]; hasOlder: boolean } | undefined;
    if (live) windows.set(id, { live });
  }
  return {
    ...{ user, servers, blocked, notificationSettings, windows },
    typists: [],
    readStates: new Map(readStates.map((state) => [state.channel_id, state])),
  };
}
