// The last state of a page: saved in parts after a pause, shown by the next page to the same person only, and deleted.
import { expect, test } from "bun:test";
import type { Chat, ChatState } from "../../client/chat.ts";
import { type Copy, copyAfter, withWindow } from "../../client/copy.ts";
import { Snapshot, type SnapshotStore } from "../../client/snapshot.ts";
import { messageDeleted, messageUpdated } from "../../features/messages/events.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { HandClock } from "./hand-clock.ts";
import { channel, idOf, message, ownChannels, scene } from "./scene.ts";

class Memory implements SnapshotStore {
  readonly kept = new Map<string, unknown>();
  /** The names of the entries of each write, in order. */
  readonly writes: string[][] = [];

  all = async () => [...structuredClone(this.kept)];
  keep = async (entries: readonly (readonly [string, unknown])[], gone?: readonly string[]) => {
    this.writes.push(entries.map(([name]) => name).sort());
    if (!gone) this.kept.clear();
    for (const [name, value] of entries) this.kept.set(name, structuredClone(value));
    for (const name of gone ?? []) this.kept.delete(name);
  };
}

/** A page with a chat that the test controls. */
class Page {
  state: ChatState = { copy: undefined, connection: { is: "connecting" }, generation: 0 };
  readonly clock = new HandClock();
  readonly snapshot: Snapshot;
  #watcher = () => {};
  #listener = (_: ServerFrame) => {};

  constructor(store: SnapshotStore, version = "one") {
    const chat = this as unknown as Chat;
    this.snapshot = new Snapshot({ chat, store, version, later: this.clock.later });
  }

  readonly subscribe = (watcher: () => void) => {
    this.#watcher = watcher;
    return () => {};
  };
  listen(listener: (frame: ServerFrame) => void) {
    this.#listener = listener;
    return () => {};
  }
  hear(frame: ServerFrame): void {
    if (this.state.copy) this.become({ copy: copyAfter(this.state.copy, frame) });
    this.#listener(frame);
  }
  begin(copy: Copy): boolean {
    if (this.state.generation > 0) return false;
    this.become({ copy });
    return true;
  }
  hearReady(copy: Copy): void {
    this.become({ copy, connection: { is: "live" }, generation: this.state.generation + 1 });
    this.snapshot.begin();
  }
  become(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    this.#watcher();
  }
  async pause(): Promise<void> {
    this.clock.turn(10_000);
    await Bun.sleep(0);
  }
}

const me = scene().user.id;
const muted = { channel_id: idOf("general"), level: null, muted_until: "9999-12-31T23:59:59.999Z" };

function withSaid(copy: Copy, channelName: string, ...texts: string[]): Copy {
  const messages = texts.map((text) => message(text, "alice", channelName)).toReversed();
  return withWindow(copy, idOf(channelName), { live: { messages, hasOlder: true } });
}

test("the next page shows it to the same person before READY, without who was here at that time", async () => {
  const store = new Memory();
  const first = new Page(store);
  const notificationSettings = { servers: [], channels: [muted] };
  const copy = {
    ...withSaid(scene(), "general", "one", "two"),
    blocked: [idOf("carol")],
    notificationSettings,
  };
  first.hearReady(copy);
  await first.pause();
  const next = new Page(store);
  expect(await next.snapshot.show(me)).toBe(true);
  const shown = next.state.copy as Copy;
  expect(shown.user).toEqual(copy.user);
  expect(shown.readStates).toEqual(copy.readStates);
  expect(shown).toMatchObject({ blocked: copy.blocked, notificationSettings, typists: [] });
  expect(shown.windows.get(idOf("general"))).toEqual({ live: copy.windows.get(idOf("general"))?.live });
  expect(shown.servers.map(({ name }) => name)).toEqual(copy.servers.map(({ name }) => name));
  expect(shown.servers.flatMap(({ voice, presences }) => [...voice, ...presences])).toEqual([]);
  const [talk] = [...shown.direct.values()];
  expect(talk).toMatchObject({ name: "alice", last_message: { excerpt: "hello" } });
  expect(talk?.recipients.map(({ presence }) => presence)).toEqual(["offline", "offline"]);

  const [others, newer, late] = [new Page(store), new Page(store, "two"), new Page(store)];
  expect(await others.snapshot.show(idOf("carol"))).toBe(false);
  expect(await newer.snapshot.show(me)).toBe(false);
  late.hearReady(scene());
  expect(await late.snapshot.show(me)).toBe(false);
});

test("what an earlier page kept is replaced by the first write in one act, as the page may be going", async () => {
  const store = new Memory();
  await store.keep([["messages/of another time", []]], []);
  const page = new Page(store);
  page.hearReady(withSaid(scene(), "general", "one"));
  page.snapshot.write();
  expect(store.writes).toHaveLength(2);
  expect([...store.kept.keys()].sort()).toEqual(store.writes.at(-1) ?? []);
});

test("only what changed is written, a while after it did; nothing before READY, and nothing after the end", async () => {
  const store = new Memory();
  const page = new Page(store);
  page.become({ copy: withSaid(scene(), "general", "kept before") });
  page.snapshot.begin();
  await page.pause();
  expect(store.writes).toEqual([]);
  let copy = withSaid(scene(), "general", "one");
  page.hearReady(copy);
  expect(store.writes).toEqual([]);
  await page.pause();
  const windows = [...copy.windows.keys()].map((id) => `messages/${id}`);
  expect(store.writes).toEqual([["places", ...windows].sort()]);
  const changes: Partial<Copy>[] = [
    { blocked: [idOf("carol")] },
    { user: { ...copy.user, bio: "A builder." } },
    { servers: [...copy.servers] },
    { direct: new Map(copy.direct) },
    { notificationSettings: { servers: [], channels: [muted] } },
    { readStates: new Map() },
  ];
  for (const change of changes) {
    copy = { ...copy, ...change };
    page.become({ copy });
    await page.pause();
  }
  expect(store.writes.slice(1)).toEqual(changes.map(() => ["places"]));
  page.become({ copy: { ...copy, typists: [] } });
  await page.pause();
  expect(store.writes).toHaveLength(7);
  page.become({ copy: withSaid(copy, "general", "right before the end") });
  page.snapshot.end();
  await page.pause();
  page.become({ copy: withSaid(copy, "general", "after the end") });
  await page.pause();
  page.snapshot.write();
  expect(store.writes).toHaveLength(7);
});

test("of a long channel the newest fifty are kept; what the next page changes leaves the rest of it there", async () => {
  const store = new Memory();
  const first = new Page(store);
  const texts = Array.from({ length: 60 }, (_, i) => `said ${i}`);
  first.hearReady(withSaid(scene(), "general", ...texts));
  await first.pause();
  const kept = store.kept.get(`messages/${idOf("general")}`) as { messages: unknown[]; hasOlder: boolean };
  expect([kept.messages.length, kept.hasOlder]).toEqual([50, true]);
  const next = new Page(store);
  await next.snapshot.show(me);
  const windows = new Map(next.state.copy?.windows);
  windows.delete(idOf("general"));
  next.hearReady({ ...(next.state.copy as Copy), windows, blocked: [idOf("carol")] });
  await next.pause();
  expect(store.kept.has(`messages/${idOf("general")}`)).toBe(true);
});

test("the messages of twenty channels are kept, also of those that the page has let go of; not of one that is gone", async () => {
  const store = new Memory();
  const page = new Page(store);
  const names = Array.from({ length: 25 }, (_, i) => `room ${i}`);
  const [home, ...others] = scene().servers;
  if (!home) throw new Error("the scene has a server");
  const channels = names.map((name) => channel(name, "home"));
  const copy: Copy = {
    ...scene(),
    windows: new Map(),
    servers: [{ ...home, channels: ownChannels(channels) }, ...others],
  };
  page.hearReady(copy);
  for (const name of names) {
    page.become({ copy: withSaid(copy, name, `said in ${name}`) });
    await page.pause();
  }
  const kept = () => [...store.kept.keys()].filter((name) => name.startsWith("messages/")).sort();
  const nameOf = (name: string) => `messages/${idOf(name)}`;
  expect(kept()).toEqual(names.slice(5).map(nameOf).sort());
  const left = { ...copy, servers: [{ ...home, channels: ownChannels(channels.slice(0, 24)) }, ...others] };
  page.become({ copy: left });
  await page.pause();
  expect(kept()).toEqual(names.slice(5, 24).map(nameOf).sort());
  await page.snapshot.forget();
  expect(store.kept.size).toBe(0);
  expect(await new Page(store).snapshot.show(me)).toBe(false);
});

test("what a deleted message said is kept no longer, also in a channel that the page has let go of", async () => {
  const store = new Memory();
  const page = new Page(store);
  const copy: Copy = { ...scene(), windows: new Map() };
  page.hearReady(withSaid(withSaid(copy, "general", "a walrus", "a frog"), "lounge", "a walrus", "a frog"));
  await page.pause();
  const letGo = () => {
    const windows = new Map(page.state.copy?.windows);
    windows.delete(idOf("lounge"));
    page.become({ copy: { ...(page.state.copy as Copy), windows } });
    return page.pause();
  };
  await letGo();
  expect(JSON.stringify([...store.kept]).match(/walrus/g)).toHaveLength(2);
  const hear = (type: string, server: string, data: object) =>
    page.hear({ type, data, server_id: idOf(server), ts: "2026-11-26T12:00:00.000Z", seq: 1 } as ServerFrame);
  for (const [name, server] of [
    ["general", "home"],
    ["lounge", "club"],
  ] as const) {
    const { id, channel_id } = message("a walrus", "alice", name);
    hear(messageDeleted.type, server, { id, channel_id });
  }
  await page.pause();
  expect(JSON.stringify([...store.kept])).not.toContain("walrus");
  expect(JSON.stringify([...store.kept])).toContain("a frog");

  // Nor the text from before an edit.
  page.become({ copy: withSaid(page.state.copy as Copy, "lounge", "a toad") });
  await page.pause();
  await letGo();
  expect(JSON.stringify([...store.kept])).toContain("a toad");
  hear(messageUpdated.type, "club", message("a toad", "alice", "lounge", { content: "a newt" }));
  await page.pause();
  expect(JSON.stringify([...store.kept])).not.toContain("a toad");
});
