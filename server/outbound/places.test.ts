// Slots for requests to hosts that people enter: slow answers of some people do not take all slots from others.
import { afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import { type Place, Places } from "./places.ts";

const patienceMs = 5000;
const bounds = { all: 32, kept: 8, ofPerson: 4, patience: () => patienceMs };
const slowMs = 1900;
const accounts = 14;
const stepMs = 50;

let now = 0;
let clock: Mock<() => number>;
beforeEach(() => {
  now = 0;
  clock = spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => clock.mockRestore());

/** How many of a bystander's tries find no slot, by the minute, while others get slow answers without a pause. */
function refusedByMinute(free: number | undefined, minutes: number): number[] {
  const places = new Places({ ...bounds, ...(free !== undefined && { free }) });
  now = 0;
  const held: Place[] = [];
  const refused = Array.from({ length: minutes }, () => 0);
  for (; now < minutes * 60_000; now += stepMs) {
    while (held[0] && now - held[0].since >= slowMs) places.giveBack(held.shift() as Place, true);
    for (let account = 0; account < accounts; account++)
      for (let taken = places.take(`account${account}`, "slow.example"); "since" in taken; ) {
        held.push(taken);
        taken = places.take(`account${account}`, "slow.example");
      }
    const own = places.take("bystander", "quick.example");
    if ("since" in own) places.giveBack(own, true);
    else refused[Math.floor(now / 60_000)]!++;
  }
  return refused;
}

test("fourteen accounts with slow answers keep others out for half a minute at most, and never again", () => {
  const tries = 60_000 / stepMs;
  const [first = 0, ...later] = refusedByMinute(0.1, 5);
  expect(first).toBeLessThan(tries / 2);
  expect(later).toEqual([0, 0, 0, 0]);
  // Without `free`, most tries keep being refused.
  expect(Math.min(...refusedByMinute(undefined, 5))).toBeGreaterThan(tries / 2);
});

test("answers at once are free", () => {
  const places = new Places({ ...bounds, free: 0.1 });
  for (let i = 0; i < 1000; i++) {
    const place = places.take("reader", "quick.example");
    expect(place).toHaveProperty("since");
    now += 0.1 * patienceMs;
    places.giveBack(place as Place, true);
  }
});

test("all, a person and a host have so many places, and the last ones are for people who have none", () => {
  const places = new Places({ ...bounds, all: 6, kept: 2, ofPerson: 3, ofHost: 2 });
  const whyNot = (userId: string, host: string) => {
    const taken = places.take(userId, host);
    return "why" in taken ? taken.why : "taken";
  };
  const first = places.take("alice", "a.example") as Place;
  expect(whyNot("alice", "a.example")).toBe("taken");
  expect(whyNot("alice", "a.example")).toBe("host");
  expect(whyNot("alice", "b.example")).toBe("taken");
  expect(places.take("alice", "c.example")).toEqual({ why: "person", waitMs: 0 });
  expect(whyNot("bob", "c.example")).toBe("taken");
  expect(whyNot("bob", "d.example")).toBe("all");
  expect([whyNot("carol", "d.example"), places.isFull]).toEqual(["taken", false]);
  expect([whyNot("dave", "e.example"), places.isFull]).toEqual(["taken", true]);
  expect(whyNot("erin", "f.example")).toBe("all");
  // Returned twice, it is one slot.
  for (let twice = 0; twice < 2; twice++) places.giveBack(first, true);
  expect(places.taken).toBe(5);
  expect([whyNot("erin", "a.example"), whyNot("frank", "g.example")]).toEqual(["taken", "all"]);
});

test("who wasted six requests' patience waits for as long as they are told, and others do not", () => {
  const places = new Places(bounds);
  let taken = places.take("alice", "silent.example");
  let wastedMs = 0;
  while ("since" in taken) {
    expect(places.isLate(taken)).toBe(false);
    now += patienceMs;
    wastedMs += patienceMs;
    expect(places.isLate(taken)).toBe(true);
    places.giveBack(taken, false);
    taken = places.take("alice", "quick.example");
  }
  // A quarter of the time was given back meanwhile.
  expect(wastedMs).toBe(8 * patienceMs);
  const { waitMs } = taken as { waitMs: number };
  expect(waitMs).toBeGreaterThan(0);
  expect(places.take("bob", "silent.example")).toHaveProperty("since");
  now += waitMs - 1;
  expect(places.take("alice", "quick.example")).toHaveProperty("why");
  now += 2;
  expect(places.take("alice", "quick.example")).toHaveProperty("since");
});
