// The members of servers, as far as a page needs them: fetched in batches, kept up to date by events, and bounded.
import { userUpdated } from "../features/accounts/events.ts";
import { listMembers } from "../features/members/calls.ts";
import type { Member } from "../features/members/contract.ts";
import { memberAdded, memberRemoved } from "../features/members/events.ts";
import { membersAfter } from "../features/members/state.ts";
import { presenceUpdated } from "../features/presence/events.ts";
import { membersShownAfter } from "../features/presence/state.ts";
import { memberUpdated } from "../features/roles/events.ts";
import { is } from "../protocol/event.ts";
import type { ServerFrame } from "../protocol/frames.ts";
import { limits } from "../protocol/limits.ts";
import type { Chat } from "./chat.ts";

/** The most servers whose members are kept; the least recently used are dropped. */
const mostServers = 8;
/** How long requested members wait to be fetched together with others, in milliseconds. */
const gatherMs = 20;

/** The known members of a server. */
interface Known {
  /** By user id; null for people who are no members. */
  members: Map<string, Member | null>;
  /** Ids of those fetched or changed since the last READY; the others are as they were before it. */
  fresh: Set<string>;
  /** The people of `members`; undefined until it is requested again. */
  list: readonly Member[] | undefined;
  /** The generation of the copy when it was fetched: events before a later READY may have been missed. */
  generation: number;
  wanted: Set<string>;
  /** The last id of the fetched pages; undefined before the first. */
  pagedTo: string | undefined;
  hasMore: boolean;
}

/** The query of `listMembers`. */
interface Query {
  limit?: string | undefined;
  after?: string;
  q?: string;
  ids?: string;
}

const none: readonly Member[] = [];

export class Members {
  readonly #chat: Chat;
  readonly #servers = new Map<string, Known>();
  readonly #watchers = new Set<() => void>();
  /** The running page request, by server id and generation. */
  readonly #paging = new Map<string, Promise<void>>();
  #isDue = false;

  constructor(chat: Chat) {
    this.#chat = chat;
    chat.listen((frame) => this.#hear(frame));
  }

  /** Calls `watcher` after each change. Returns the function that unsubscribes it. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Undefined: not known yet; null: no member. */
  get(serverId: string | null, userId: string): Member | null | undefined {
    if (serverId === null) return null;
    return this.#servers.get(serverId)?.members.get(userId);
  }

  /** Returns all known members of a server; the same object until something changes. */
  of(serverId: string | null): readonly Member[] {
    const known = this.#servers.get(serverId ?? "");
    if (!known) return none;
    known.list ??= [...known.members.values()].filter((member) => member !== null);
    return known.list;
  }

  /** True if there are further pages. */
  hasMore(serverId: string): boolean {
    return this.#servers.get(serverId)?.hasMore ?? true;
  }

  /** Fetches these members soon, together with others requested meanwhile. Known ones are not fetched again. */
  want(serverId: string | null, userIds: Iterable<string>): void {
    if (serverId === null) return;
    const known = this.#known(serverId);
    for (const id of userIds) if (!known.fresh.has(id)) known.wanted.add(id);
    if (known.wanted.size === 0 || this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => this.#askWanted(), gatherMs);
  }

  /** Fetches the first page, or the next one. Throws CallError. */
  page(serverId: string): Promise<void> {
    const { generation } = this.#chat.state;
    const key = `${serverId} ${generation}`;
    const running = this.#paging.get(key);
    if (running) return running;
    const { pagedTo: after, members } = this.#known(serverId);
    const before = [...members.keys()];
    const query = { limit: String(limits.members_page_max), ...(after !== undefined && { after }) };
    const paging = this.#fetch(serverId, query)
      .then(({ items, hasMore }) => {
        if (generation !== this.#chat.state.generation) return;
        const known = this.#known(serverId);
        known.hasMore = hasMore;
        known.pagedTo = items.at(-1)?.user.id ?? after;
        if (after !== undefined || hasMore) return;
        // A known member who is missing from the only page has left without an event.
        for (const id of before) if (!known.fresh.has(id)) known.members.delete(id);
        this.#changed(serverId);
      })
      .finally(() => this.#paging.delete(key));
    this.#paging.set(key, paging);
    return paging;
  }

  /** Returns members with a name, or a word in it, that begins with `q`. Throws CallError. */
  async find(serverId: string, q: string, signal?: AbortSignal, limit?: string): Promise<readonly Member[]> {
    return (await this.#fetch(serverId, { q, limit }, signal)).items;
  }

  /** Returns the entry of a server, and marks it as recently used. */
  #known(serverId: string): Known {
    const { generation } = this.#chat.state;
    const before = this.#servers.get(serverId);
    const known = before?.generation === generation ? before : startOf(generation, before);
    this.#servers.delete(serverId);
    this.#servers.set(serverId, known);
    for (const id of this.#servers.keys()) {
      if (this.#servers.size <= mostServers) break;
      this.#servers.delete(id);
    }
    return known;
  }

  #askWanted(): void {
    this.#isDue = false;
    for (const [serverId, known] of this.#servers) {
      const ids = [...known.wanted];
      known.wanted.clear();
      for (let at = 0; at < ids.length; at += limits.members_ids_max) {
        const some = ids.slice(at, at + limits.members_ids_max);
        // Failed for now; the next render asks again.
        this.#askFor(serverId, some).catch(() => {});
      }
    }
  }

  async #askFor(serverId: string, ids: readonly string[]): Promise<void> {
    const { generation } = this.#chat.state;
    await this.#fetch(serverId, { ids: ids.join() });
    if (generation !== this.#chat.state.generation) return;
    const { members, fresh } = this.#known(serverId);
    for (const id of ids) {
      if (fresh.has(id)) continue;
      members.set(id, null);
      fresh.add(id);
    }
    this.#changed(serverId);
  }

  /**
   * Fetches members and stores them, with the frames applied that arrived during the request. Events between a response
   * and a fresh READY after it may have been missed.
   */
  async #fetch(serverId: string, query: Query, signal?: AbortSignal) {
    const { generation } = this.#chat.state;
    const heard: ServerFrame[] = [];
    const end = this.#chat.listen((frame) => heard.push(frame));
    try {
      const { items, hasMore } = await listMembers({ params: { id: serverId }, query }, signal);
      // Frames that wait for the next paint may be newer than the response.
      this.#chat.catchUp();
      const { members, fresh } = this.#known(serverId);
      const isFresh = generation === this.#chat.state.generation;
      for (const item of items) {
        const { id } = item.user;
        if (!isFresh && fresh.has(id)) continue;
        const now = heard.reduce<Member | undefined>(
          (member, frame) => after(id, member, serverId, frame),
          item,
        );
        members.set(id, now ?? null);
        if (isFresh) fresh.add(id);
      }
      this.#changed(serverId);
      return { items, hasMore };
    } finally {
      end();
    }
  }

  #hear(frame: ServerFrame): void {
    const { server_id: serverId } = frame;
    const known = serverId === undefined ? undefined : this.#servers.get(serverId);
    if (!known || serverId === undefined) return;
    const { members } = known;
    if (is(frame, memberAdded)) {
      members.set(frame.data.user.id, frame.data);
      known.fresh.add(frame.data.user.id);
      this.#changed(serverId);
      return;
    }
    const concerned = concernedBy(frame);
    let isChanged = false;
    for (const id of concerned === "all" ? members.keys() : concerned) {
      const before = members.get(id);
      if (!before) continue;
      const now = after(id, before, serverId, frame) ?? null;
      if (now === before) continue;
      members.set(id, now);
      isChanged = true;
    }
    if (isChanged) this.#changed(serverId);
  }

  #changed(serverId: string): void {
    const known = this.#servers.get(serverId);
    if (known) known.list = undefined;
    for (const watcher of this.#watchers) watcher();
  }
}

/** Keeps showing the known members until they are fetched again. */
function startOf(generation: number, before: Known | undefined): Known {
  const members = new Map([...(before?.members ?? [])].filter(([, member]) => member !== null));
  return {
    members,
    fresh: new Set(),
    list: undefined,
    generation,
    wanted: new Set(),
    pagedTo: undefined,
    hasMore: true,
  };
}

/** Returns the ids of the members whom a frame may change. */
function concernedBy(frame: ServerFrame): readonly string[] | "all" {
  if (is(frame, presenceUpdated) || is(frame, memberUpdated) || is(frame, memberRemoved)) {
    return [frame.data.user_id];
  }
  if (is(frame, userUpdated)) return [frame.data.id];
  return frame.type.startsWith("ROLE_") ? "all" : [];
}

/** Returns a member after a frame; undefined if they are not a member, or no longer. */
function after(
  userId: string,
  member: Member | undefined,
  serverId: string,
  frame: ServerFrame,
): Member | undefined {
  if (frame.server_id !== serverId) return member;
  if (is(frame, memberAdded)) return frame.data.user.id === userId ? frame.data : member;
  return member && membersShownAfter(membersAfter([member], frame), frame)[0];
}
