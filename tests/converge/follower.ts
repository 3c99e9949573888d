// A person who listens and keeps a copy, and a fresh copy to compare it with.

import { expect } from "bun:test";
import { type Copy, copyAfter, copyFrom, withBlocked, withWindow } from "../../client/copy.ts";
import type { Ready } from "../../client/ready.ts";
import { channelIdsIn, toOwnServer } from "../../client/servers.ts";
import type { Me, User } from "../../features/accounts/contract.ts";
import type { LastTalk } from "../../features/direct/state.ts";
import type { Member } from "../../features/members/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { excerptOf } from "../../features/messages/text/excerpt.ts";
import type { Server } from "../../features/servers/contract.ts";
import { ownStream } from "../../protocol/frames.ts";
import { limits } from "../../protocol/limits.ts";
import { withoutKeys } from "../../protocol/unchanged.ts";
import type { VoiceState } from "../../protocol/voice.ts";
import { type People, peopleAfter } from "../client/people.ts";
import { until } from "../house/machine/waiting.ts";
import { Listener, type ListenerOptions } from "../house/people/listener.ts";
import type { TestPerson } from "../house/people/people.ts";

const mostProcesses = 3;

interface Known {
  copy: Copy;
  people: People;
}

export class Follower {
  readonly person: TestPerson;
  readonly listener: Listener;
  /** Types of the frames that changed the copy. */
  readonly changedBy = new Set<string>();
  #copy: Copy;
  #people: People = new Map();
  #folded: number;

  private constructor(person: TestPerson, listener: Listener) {
    this.person = person;
    this.listener = listener;
    this.#copy = copyFrom(listener.ready as unknown as Ready);
    this.#folded = listener.frames.findIndex((frame) => frame.type === "READY") + 1;
  }

  /** `options`: for a relay in between, or a clock that the test sets. */
  static async of(person: TestPerson, options: Partial<ListenerOptions> = {}): Promise<Follower> {
    return new Follower(
      person,
      await Listener.open({ url: gatewayOf(person), token: person.token, ...options }),
    );
  }

  /** The copy with all frames so far applied. */
  get copy(): Copy {
    for (; this.#folded < this.listener.frames.length; this.#folded++) {
      const frame = this.listener.frames[this.#folded];
      if (!frame) continue;
      const before = this.#known;
      const isAnew = frame.type === "READY";
      this.#copy = isAnew ? copyFrom(frame.data as unknown as Ready) : copyAfter(before.copy, frame);
      this.#people = isAnew ? new Map() : this.#ofOwnServers(peopleAfter(before.people, frame));
      const isAside =
        before.copy.readStates !== this.#copy.readStates ||
        before.copy.serverOrder !== this.#copy.serverOrder;
      if (isAside || comparable(before) !== comparable(this.#known)) this.changedBy.add(frame.type);
    }
    return this.#copy;
  }

  get #known(): Known {
    return { copy: this.#copy, people: this.#people };
  }

  #ofOwnServers(people: People): People {
    return withoutKeys(people, (id) => !this.#copy.servers.some((server) => server.id === id));
  }

  /** Waits until the copy satisfies `shows`. */
  async until(shows: (copy: Copy) => boolean, what: string): Promise<void> {
    if (shows(this.copy)) return;
    try {
      await this.listener.until(() => shows(this.copy));
    } catch (error) {
      throw new Error(`${this.person.username}: ${what}: ${(error as Error).message}`);
    }
  }

  /** Fetches every channel and member list that was not fetched yet. Only while nothing changes. */
  async look(): Promise<void> {
    const { copy } = this;
    ({ copy: this.#copy, people: this.#people } = await lookAround(this.person, {
      copy,
      people: this.#people,
    }));
  }

  async expectFresh(): Promise<void> {
    await this.look();
    const fresh = await freshCopy(this.person);
    const heard = this.listener.resume?.streams ?? {};
    expect(Object.keys(heard).sort()).toEqual([ownStream, ...this.copy.servers.map(({ id }) => id)].sort());
    for (const { id, seq } of fresh.copy.servers) expect(heard[id]).toBeLessThanOrEqual(seq);
    // Typing expires by itself and is in no READY.
    const known = { copy: { ...this.copy, typists: [] }, people: this.#people };
    expect(JSON.parse(comparable(known))).toEqual(JSON.parse(comparable(fresh)));
    // Servers that were joined since then come by streams of their own, in any order.
    const told = ({ servers }: Copy) => servers.map(({ id }) => id).filter((id) => this.#isPlaced(id));
    expect(told(this.copy)).toEqual(told(fresh.copy));
  }

  #isPlaced(serverId: string): boolean {
    return this.#copy.serverOrder.includes(serverId);
  }

  /** Compares unread channels and mention counts. Exact markers are known only where their event was heard. */
  async expectFreshReading(): Promise<void> {
    await this.look();
    expect(reading(this.copy)).toEqual(reading((await freshCopy(this.person)).copy));
  }

  close(): void {
    this.listener.close();
  }
}

/** By channel: whether it has unread messages, and the number of mentions. */
function reading({ servers, readStates }: Copy): Record<string, [isUnread: boolean, mentions: number]> {
  const channels = servers
    .flatMap((server) => [...server.channels.values()])
    .filter(({ type }) => type === "text");
  return Object.fromEntries(
    channels.map(({ id, last_message_id }) => {
      const state = readStates.get(id);
      return [id, [(last_message_id ?? "") > (state?.last_read_id ?? ""), state?.mention_count ?? 0]];
    }),
  );
}

function gatewayOf(person: TestPerson): string {
  return `${person.host.url.replace("http", "ws")}/ws`;
}

/**
 * Waits until all past events have reached every follower: each server's owner renames it to `mark`, and each follower
 * waits for that name in all their servers, as it comes last in the order of the log.
 */
export async function quiet(followers: readonly Follower[], mark: string): Promise<void> {
  for (const { person } of followers) {
    for (const server of (await person.get<Server[]>("/servers")).body) {
      if (server.owner_id !== person.id) continue;
      const renamed = await person.patch(`/servers/${server.id}`, { name: mark });
      expect(renamed.status).toBe(200);
    }
  }
  for (const follower of followers) {
    const own = (await follower.person.get<Server[]>("/servers")).body.map((server) => server.id).sort();
    await follower.until(
      ({ servers }) =>
        servers
          .map((server) => server.id)
          .sort()
          .join() === own.join() && servers.every((server) => server.name === mark),
      "did not come to hear of everything",
    );
    await follower.listener.settle();
  }
}

/** Opens a first socket that stays, and waits until all know of it: further ones do not announce their person. */
export async function seenOnline(person: TestPerson): Promise<void> {
  await person.listen();
  await knownOnline(person.username, async () => (await person.get<Me>("/auth/me")).body.presence);
}

/** Waits until every process knows that this person or bot is connected. `by` shares a server with them. */
export async function seenOnlineBy(by: TestPerson, id: string): Promise<void> {
  await knownOnline(id, async () => (await by.get<User>(`/users/${id}`)).body.presence);
}

/** Calls go to each process in turn; each learns a moment later of connections to the others. */
export async function knownOnline(who: string, ask: () => Promise<string>): Promise<void> {
  const everywhere = async () => {
    for (let i = 0; i < mostProcesses; i++) if ((await ask()) !== "online") return false;
    return true;
  };
  await until(everywhere, `${who} never came online`);
}

async function freshCopy(person: TestPerson): Promise<Known> {
  const ear = await person.listen();
  const ready = ear.ready as unknown as Ready;
  const blocked = (await person.get<User[]>("/blocks")).body.map(({ id }) => id);
  const { copy, people } = await lookAround(person, { copy: copyFrom(ready), people: new Map() });
  ear.close();
  // READY's own data about channels must agree with their pages.
  const told = ready.servers.map((entry) => toOwnServer(ready.user.id, entry));
  expect(sorted(copy.servers, ({ id }) => id)).toEqual(sorted(told, ({ id }) => id));
  expect(copy.servers.map(({ id }) => id)).toEqual([...(ready.server_order ?? [])]);
  return { copy: withBlocked(copy, blocked), people };
}

/** Fetches the pages and member lists that are missing. */
async function lookAround(person: TestPerson, { copy, people }: Known): Promise<Known> {
  let looked = copy;
  const met = new Map(people);
  for (const { id } of copy.servers) {
    if (!people.has(id)) met.set(id, (await person.get<Member[]>(`/servers/${id}/members`)).body);
  }
  for (const id of channelIdsIn(copy)) {
    if (copy.windows.has(id)) continue;
    const page = await person.get<Message[]>(`/channels/${id}/messages?limit=100`);
    expect(page.status).toBe(200);
    looked = withWindow(looked, id, { live: { messages: page.body, hasOlder: false } });
  }
  return { copy: looked, people: met };
}

/** The copy as text, without what events do not determine: order, typing, times in voice rooms, numbers. */
function comparable({ copy, people }: Known): string {
  const serverIds = copy.servers.map(({ id }) => id);
  const channelIds = channelIdsIn(copy);
  return JSON.stringify({
    ...copy,
    serverOrder: undefined,
    heard: undefined,
    typists: copy.typists.map(({ channel_id, user_id }) => `${user_id} in ${channel_id}`),
    servers: copy.servers
      .map(({ seq, ...server }) => ({
        ...server,
        channels: sorted([...server.channels.values()], (each) => each.id),
        presences: sorted(server.presences, (each) => each.user_id),
        voice: timeless(server.voice),
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
    direct: byKey(copy.direct, ({ last_message, voice, ...talk }) => ({
      ...{ ...talk, said: said(last_message), voice: timeless(voice) },
    })),
    windows: byKey(copy.windows, ({ live }) =>
      live?.messages.map((each) => ({
        ...each,
        reactions: sorted(each.reactions, (reaction) => reaction.emoji),
      })),
    ),
    members: byKey(people, (list) => list),
    // A copy derives unread messages from markers alone: see `reading`.
    readStates: undefined,
    // A copy keeps the settings of channels that its person no longer sees.
    notificationSettings: {
      servers: copy.notificationSettings.servers.filter((each) => serverIds.includes(each.server_id)),
      channels: copy.notificationSettings.channels.filter((each) => channelIds.has(each.channel_id)),
    },
  });
}

/** The media service knows the time of a join to the millisecond, an event only roughly. */
function timeless(voice: readonly VoiceState[]): unknown {
  return voice.map(({ joined_at, ...state }) => state);
}

/** An event brings all of a message, a list the beginning of it. */
function said(last: LastTalk | null): unknown {
  if (!last) return last;
  const { content = "", excerpt = excerptOf(content, limits.excerpt_max), ...more } = last;
  return { ...more, excerpt };
}

function byKey<V, W>(map: ReadonlyMap<string, V>, show: (value: V) => W): [string, W][] {
  return sorted([...map], ([key]) => key).map(([key, value]) => [key, show(value)]);
}

function sorted<T>(list: readonly T[], key: (each: T) => string): T[] {
  return [...list].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}
