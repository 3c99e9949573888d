// A person who listens and keeps a copy, and the fresh state that the copy must equal.
import { expect } from "bun:test";
import type { Me } from "../../features/accounts/contract.ts";
import type { Channel } from "../../features/channels/contract.ts";
import type { Member } from "../../features/members/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import type { Server } from "../../features/servers/contract.ts";
import type { Ear } from "../house/ear.ts";
import type { TestPerson } from "../house/people.ts";
import { type Copy, copyAfter, copyFrom, type Ready, type ServerCopy } from "./client.ts";

export class Follower {
  readonly person: TestPerson;
  readonly ear: Ear;
  /** Types of the frames that changed the copy. */
  readonly changedBy = new Set<string>();
  #copy: Copy;
  #folded: number;

  private constructor(person: TestPerson, ear: Ear) {
    this.person = person;
    this.ear = ear;
    this.#copy = copyFrom(ear.ready as unknown as Ready);
    this.#folded = ear.frames.findIndex((frame) => frame.type === "READY") + 1;
  }

  static async of(person: TestPerson): Promise<Follower> {
    return new Follower(person, await person.listen());
  }

  /** Everything heard so far, applied. */
  get copy(): Copy {
    for (; this.#folded < this.ear.frames.length; this.#folded++) {
      const frame = this.ear.frames[this.#folded];
      if (!frame) continue;
      const before = this.#copy;
      this.#copy = copyAfter(before, frame);
      if (comparable(before) !== comparable(this.#copy)) this.changedBy.add(frame.type);
    }
    return this.#copy;
  }

  /** Waits for what the copy must come to show. */
  async until(shows: (copy: Copy) => boolean, what: string): Promise<void> {
    if (shows(this.copy)) return;
    try {
      await this.ear.until(() => shows(this.copy));
    } catch (error) {
      throw new Error(`${this.person.username}: ${what}: ${(error as Error).message}`);
    }
  }

  /** Opens every channel and member list that was not looked at yet. Only while nobody does anything. */
  async look(): Promise<void> {
    this.#copy = await lookAround(this.person, this.copy);
  }

  async expectFresh(): Promise<void> {
    await this.look();
    const fresh = await freshCopy(this.person);
    for (const server of this.copy.servers) {
      const now = fresh.servers.find((each) => each.id === server.id);
      expect(server.seq).toBeLessThanOrEqual(now?.seq ?? -1);
    }
    // Who is typing fades by itself and is in no READY.
    expect(JSON.parse(comparable({ ...this.copy, typists: [] }))).toEqual(JSON.parse(comparable(fresh)));
  }

  close(): void {
    this.ear.close();
  }
}

/**
 * Until everything that happened has reached every follower: `steward`, who owns the servers, renames each of them,
 * and each follower must hear the name in all the servers that are theirs, which come in the order of the log.
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
    await follower.ear.settle();
  }
}

/** A first socket that stays, until everybody can know of it: what comes later tells nobody that its person came. */
export async function seenOnline(person: TestPerson): Promise<void> {
  await person.listen();
  for (let tries = 0; (await person.get<Me>("/auth/me")).body.presence !== "online"; tries++) {
    if (tries > 200) throw new Error(`${person.username} never came online`);
    await Bun.sleep(10);
  }
}

async function freshCopy(person: TestPerson): Promise<Copy> {
  const ear = await person.listen();
  const ready = ear.ready as unknown as Ready;
  const looked = await lookAround(person, copyFrom(ready));
  ear.close();
  // What READY itself says of the channels must agree with their pages.
  expect(looked.servers).toEqual([...ready.servers]);
  return looked;
}

/**
 * Pages and member lists for what was not looked at. A deletion does not say which message is the newest now; whoever
 * did not have the page learns it here.
 */
async function lookAround(person: TestPerson, copy: Copy): Promise<Copy> {
  const pages = new Map(copy.pages);
  const members = new Map(copy.members);
  const servers: ServerCopy[] = [];
  for (const server of copy.servers) {
    if (!members.has(server.id)) {
      members.set(server.id, (await person.get<Member[]>(`/servers/${server.id}/members`)).body);
    }
    const channels: Channel[] = [];
    for (const channel of server.channels) {
      const known = pages.get(channel.id);
      channels.push(known ? channel : await lookInto(person, channel, pages));
    }
    servers.push({ ...server, channels });
  }
  return { ...copy, servers, pages, members };
}

async function lookInto(
  person: TestPerson,
  channel: Channel,
  pages: Map<string, readonly Message[]>,
): Promise<Channel> {
  const page = await person.get<Message[]>(`/channels/${channel.id}/messages?limit=100`);
  expect(page.status).toBe(200);
  pages.set(channel.id, page.body);
  return { ...channel, last_message_id: page.body[0]?.id ?? null };
}

/** The copy as text, without what no event determines: orders, who types, times in rooms, the number. */
function comparable(copy: Copy): string {
  return JSON.stringify({
    ...copy,
    typists: copy.typists.map(({ channel_id, user_id }) => `${user_id} in ${channel_id}`),
    servers: copy.servers
      .map(({ seq, ...server }) => ({
        ...server,
        presences: sorted(server.presences, (each) => each.user_id),
        // When somebody came to a room the media service knows to the millisecond, an event only about.
        voice: server.voice.map(({ joined_at, ...state }) => state),
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
    pages: byKey(copy.pages, (page) =>
      page.map((each) => ({ ...each, reactions: sorted(each.reactions, (reaction) => reaction.emoji) })),
    ),
    members: byKey(copy.members, (list) => list),
  });
}

function byKey<V, W>(map: ReadonlyMap<string, V>, show: (value: V) => W): [string, W][] {
  return sorted([...map], ([key]) => key).map(([key, value]) => [key, show(value)]);
}

function sorted<T>(list: readonly T[], key: (each: T) => string): T[] {
  return [...list].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}
