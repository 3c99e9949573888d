// Used-up time is given back over time, to each person separately.
import { expect, test } from "bun:test";
import { Spent } from "./spent.ts";

test("what somebody spent becomes less with time, and is nobody else's", () => {
  const spent = new Spent(1 / 20);
  spent.add("alice", 5000, 0);
  spent.add("bob", 400, 0);
  expect(["alice", "bob", "cid"].map((person) => spent.of(person, 0))).toEqual([5000, 400, 0]);
  expect([spent.of("alice", 20_000), spent.of("bob", 20_000)]).toEqual([4000, 0]);
  spent.add("alice", 1000, 20_000);
  expect(spent.of("alice", 40_000)).toBe(4000);
});
