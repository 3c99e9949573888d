// The user's own presence as kept by the page: automatic away, the chosen status, and what is sent when.
import { afterAll, beforeEach, expect, setSystemTime, test } from "bun:test";
import type { Chat } from "../../../client/chat.ts";
import type { Copy } from "../../../client/copy.ts";
import { scene } from "../../../tests/client/scene.ts";
import { type ChosenStatus, choose, chosenStatus, PresenceKeeper } from "./own-presence.ts";

const world = globalThis as unknown as Record<string, unknown>;
const { localStorage: before } = world;
const begun = Date.UTC(2026, 0, 5, 12);
const minuteMs = 60_000;
let now: number;
let isThere: boolean;
let said: ChosenStatus[];
let state: { copy: Copy };

beforeEach(() => {
  const items = new Map<string, string>();
  world.localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  };
  [now, isThere, said, state] = [begun, true, [], { copy: scene() }];
  setSystemTime(now);
});
afterAll(() => {
  world.localStorage = before;
  setSystemTime();
});

/** A chat whose gateway is connected or not. */
const chat = {
  get state() {
    return state;
  },
  change: (after: (copy: Copy) => Copy) => {
    state = { copy: after(state.copy) };
  },
  connection: {
    say: (_: string, { status }: { status: ChosenStatus }) => {
      if (isThere) said.push(status);
      return isThere;
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

test("ten minutes without a touch one is away, and back with the first; both are seen here at once", () => {
  const keeper = opened();
  after(10 * minuteMs - 1);
  keeper.look();
  expect(said).toEqual([]);
  after(1);
  keeper.look();
  expect([said, chosenStatus(chat)]).toEqual([["idle"], "idle"]);
  keeper.touch();
  expect([said, chosenStatus(chat)]).toEqual([["idle", "online"], "online"]);
});

test("what was chosen stays: a touch ends no absence of one's own, and nobody who hides or rests becomes away", () => {
  const keeper = opened();
  choose(chat, "idle", null);
  after(minuteMs / 6);
  keeper.touch();
  keeper.look();
  expect([said, chosenStatus(chat)]).toEqual([[], "idle"]);
  for (const status of ["invisible", "dnd"] as const) {
    choose(chat, status, null);
    expect(chosenStatus(chat)).toBe(status);
    after(11 * minuteMs);
    keeper.look();
    expect([said, chosenStatus(chat)]).toEqual([[], status]);
    keeper.touch();
  }
});

test("what cannot be said while the gateway is away is said at the next look", () => {
  const keeper = opened();
  after(10 * minuteMs);
  isThere = false;
  keeper.look();
  expect(chosenStatus(chat)).toBe("online");
  isThere = true;
  keeper.look();
  isThere = false;
  keeper.touch();
  expect(chosenStatus(chat)).toBe("idle");
  isThere = true;
  keeper.look();
  expect(said).toEqual(["idle", "online"]);
});

test("not to be disturbed ends when its time is over; without a time, and in favour of something else, it does not", () => {
  const keeper = opened();
  choose(chat, "dnd", now + minuteMs);
  after(minuteMs - 1);
  keeper.look();
  expect(chosenStatus(chat)).toBe("dnd");
  after(1);
  keeper.look();
  expect([said, chosenStatus(chat)]).toEqual([["online"], "online"]);
  choose(chat, "dnd", now + minuteMs);
  choose(chat, "dnd", null);
  after(2 * minuteMs);
  keeper.look();
  expect(chosenStatus(chat)).toBe("dnd");
});

test("the server hears every 45 seconds of somebody who is at the page, and not of one who is not, or rests", () => {
  const keeper = opened();
  after(44_999);
  keeper.look();
  expect(said).toEqual([]);
  keeper.touch();
  after(1);
  keeper.look();
  keeper.look();
  expect(said).toEqual(["online"]);
  after(45_000);
  keeper.look();
  expect(said).toEqual(["online"]);
  choose(chat, "dnd", null);
  keeper.touch();
  keeper.look();
  expect(said).toEqual(["online"]);
});
