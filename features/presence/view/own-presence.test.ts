// The page tells of its device by itself, on each connection, and ends "do not disturb" when its time is over.
import { afterAll, beforeEach, expect, setSystemTime, test } from "bun:test";
import type { Chat, ChatState } from "../../../client/chat.ts";
import { scene } from "../../../tests/client/scene.ts";
import { type ChosenStatus, chosenStatus, endAt, PresenceKeeper, runningEnd } from "./own-presence.ts";
import { watchTouches } from "./touched.ts";

const world = globalThis as unknown as Record<string, unknown>;
const { localStorage: before } = world;
const begun = Date.UTC(2026, 0, 5, 12);
const minuteMs = 60_000;
let now: number;
let said: string[];
let state: ChatState;

beforeEach(() => {
  const items = new Map<string, string>();
  world.localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  };
  [now, said] = [begun, []];
  state = { copy: scene(), connection: { is: "live" }, generation: 1 };
  setSystemTime(now);
});
afterAll(() => {
  world.localStorage = before;
  setSystemTime();
});

/** A chat that is connected or not, and keeps what is said: "idle by itself" or "online", a choice. */
const chat = {
  get state() {
    return state;
  },
  connection: {
    say: (_: string, { status, auto }: { status: ChosenStatus; auto?: boolean }) => {
      if (state.connection.is !== "live") return false;
      said.push(auto ? `${status} by itself` : status);
      return true;
    },
  },
} as unknown as Chat;

function opened(): PresenceKeeper {
  const keeper = new PresenceKeeper(chat);
  keeper.touch();
  keeper.begin();
  return keeper;
}

function after(ms: number): void {
  now += ms;
  setSystemTime(now);
}

function choose(presence_chosen: ChosenStatus): void {
  const copy = scene();
  state = { ...state, copy: { ...copy, user: { ...copy.user, presence_chosen } } };
}

function connect(is: "live" | "connecting"): void {
  state = { ...state, connection: { is } };
}

test("ten minutes without a touch the device is idle, and touched with the first; what was chosen is left alone", () => {
  const keeper = opened();
  expect(said.splice(0)).toEqual(["online by itself"]);
  for (const status of ["online", "idle", "dnd", "invisible"] as const) {
    choose(status);
    after(10 * minuteMs - 1);
    keeper.look();
    expect(said).toEqual([]);
    after(1);
    keeper.look();
    keeper.look();
    expect(said.splice(0)).toEqual(["idle by itself"]);
    keeper.touch();
    expect(said.splice(0)).toEqual(["online by itself"]);
    expect(chosenStatus(chat)).toBe(status);
  }
});

test("a device that nobody touches says nothing about another one: both tell of themselves alone", () => {
  const idle = opened();
  const { localStorage } = world;
  after(10 * minuteMs);
  idle.look();
  const items = new Map<string, string>();
  world.localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  };
  said.splice(0);
  const used = opened();
  after(minuteMs);
  used.touch();
  used.look();
  expect(said.splice(0)).toEqual(["online by itself", "online by itself"]);
  world.localStorage = localStorage;
  idle.look();
  expect(said).toEqual([]);
});

test("a device that nobody touches is idle in a browser that refuses storage, too", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  world.localStorage = { getItem: refuse, setItem: refuse };
  watchTouches();
  const keeper = opened();
  expect(said.splice(0)).toEqual(["online by itself"]);
  after(10 * minuteMs);
  keeper.look();
  expect(said).toEqual(["idle by itself"]);
});

test("a touch in one window of a browser counts for its others", () => {
  const [one, other] = [opened(), opened()];
  after(10 * minuteMs);
  one.look();
  other.look();
  said.splice(0);
  one.touch();
  other.look();
  expect(said).toEqual(["online by itself", "online by itself"]);
});

test("each connection is told at once what the page knows, and nothing is told without one", () => {
  const keeper = opened();
  after(10 * minuteMs);
  connect("connecting");
  keeper.changed();
  keeper.look();
  expect(said.splice(0)).toEqual(["online by itself"]);
  connect("live");
  keeper.changed();
  keeper.changed();
  expect(said.splice(0)).toEqual(["idle by itself"]);
  connect("connecting");
  keeper.touch();
  connect("live");
  keeper.changed();
  expect(said.splice(0)).toEqual(["online by itself"]);
});

test("a server that knows no idle devices is told nothing: it would take it for a choice", () => {
  const copy = scene();
  const { presence_chosen, ...user } = copy.user;
  state = { ...state, copy: { ...copy, user: user as typeof copy.user } };
  const keeper = opened();
  after(10 * minuteMs);
  keeper.look();
  expect([presence_chosen, said]).toEqual(["online", []]);
});

test("not to be disturbed ends when its time is over; without a time, and in favour of something else, it does not", () => {
  const keeper = opened();
  said.splice(0);
  choose("dnd");
  endAt(now + minuteMs / 2);
  after(minuteMs / 2 - 1);
  keeper.look();
  expect(said).toEqual([]);
  after(1);
  keeper.look();
  keeper.look();
  expect(said.splice(0)).toEqual(["online"]);
  endAt(now + minuteMs);
  choose("invisible");
  after(2 * minuteMs);
  keeper.look();
  choose("dnd");
  endAt(null);
  keeper.look();
  expect(said).toEqual([]);
});

test("a choice made elsewhere takes the end with it, and the next time not to be disturbed does not end by it", () => {
  const keeper = opened();
  choose("dnd");
  keeper.changed();
  endAt(now + minuteMs);
  choose("online");
  keeper.changed();
  choose("dnd");
  keeper.changed();
  said.splice(0);
  after(minuteMs);
  keeper.look();
  expect(said).not.toContain("online");
  expect(runningEnd()).toBeNull();

  // Made while this page was closed.
  endAt(now + minuteMs);
  choose("online");
  opened();
  expect(runningEnd()).toBeNull();
});

test("a choice made elsewhere takes the end with it, though the next one comes with the same frame of the screen", () => {
  const keeper = opened();
  choose("dnd");
  keeper.changed();
  endAt(now + minuteMs);
  keeper.changed();
  for (const presence_chosen of ["online", "dnd"] as const) {
    const data = { ...scene().user, presence_chosen };
    keeper.hear({ type: "ME_UPDATE", data, stream: "@me", seq: 2, ts: "" });
  }
  expect(runningEnd()).toBeNull();
});

test("a choice in between leaves the end that another window has kept with the newest one", () => {
  const keeper = opened();
  choose("dnd");
  keeper.changed();
  endAt(now + minuteMs);
  const { localStorage } = world as unknown as { localStorage: Storage };
  localStorage.setItem("hearth.presence-dnd-until", String(now + 2 * minuteMs));
  for (const presence_chosen of ["online", "dnd"] as const) {
    const data = { ...scene().user, presence_chosen };
    keeper.hear({ type: "ME_UPDATE", data, stream: "@me", seq: 2, ts: "" });
  }
  expect(runningEnd()).toBe(now + 2 * minuteMs);

  // Once it was seen it ends as one of this window does.
  keeper.look();
  choose("online");
  keeper.changed();
  expect(runningEnd()).toBeNull();
});

test("the server hears within 60 seconds of somebody who is at the page, and not of one who is not", () => {
  const keeper = opened();
  choose("dnd");
  expect(said.splice(0)).toEqual(["online by itself"]);
  after(29_999);
  keeper.look();
  expect(said).toEqual([]);
  keeper.touch();
  after(1);
  keeper.look();
  keeper.look();
  expect(said.splice(0)).toEqual(["online by itself"]);
  after(30_000);
  keeper.look();
  expect(said).toEqual([]);
});

test("timers that come a moment early do not make the server wait longer than 60 seconds", () => {
  const keeper = opened();
  said.splice(0);
  for (let lastAt = now, looks = 0; looks < 40; looks++) {
    keeper.touch();
    after(15_000 - (looks % 3));
    keeper.look();
    expect(now - lastAt).toBeLessThan(46_000);
    if (said.splice(0).length > 0) lastAt = now;
  }
});
