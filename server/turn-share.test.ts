// Concurrent starts, of which more wait than one turn of the event loop begins.
import { expect, test } from "bun:test";
import { nextTurn } from "./house/pieces.ts";
import { TurnShare } from "./turn-share.ts";

const somewhere = () => "192.0.2.1";
const isHere = () => false;

/** Requests turns for these, written as address and number; returns the list of those that have begun. */
function begunOf(share: TurnShare, names: readonly string[], isGone: (name: string) => boolean = isHere) {
  const begun: string[] = [];
  for (const name of names) {
    const turn = share.wait(
      () => name.slice(0, 1),
      () => isGone(name),
    );
    if (turn) void turn.then(() => begun.push(name));
    else begun.push(name);
  }
  return begun;
}

test("so many begin at once, the others in later turns and in order, with other work in between", async () => {
  const share = new TurnShare(100);
  const begun: number[] = [];
  const seen: number[] = [];
  const all = Array.from({ length: 250 }, async (_, i) => {
    await share.wait(somewhere, isHere);
    begun.push(i);
  });
  const others = (async () => {
    while (begun.length < 250) {
      await nextTurn();
      seen.push(begun.length);
    }
  })();
  await Promise.all([...all, others]);
  expect(begun).toEqual(Array.from({ length: 250 }, (_, i) => i));
  expect(seen).toEqual([200, 250]);
});

test("what comes in a later turn begins at once again", async () => {
  const share = new TurnShare(100);
  for (let turn = 0; turn < 3; turn++) {
    for (let i = 0; i < 100; i++) expect(share.wait(somewhere, isHere)).toBeUndefined();
    await nextTurn();
  }
});

test("addresses take turns: one from which little comes does not wait behind all of the others", async () => {
  const share = new TurnShare(2);
  const begun = begunOf(share, ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"]);
  while (begun.length < 8) await nextTurn();
  expect(begun).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5"]);
});

test("what is gone while it waits takes up no share", async () => {
  const share = new TurnShare(1);
  const begun = begunOf(share, ["a1", "b1", "c1", "d1"], (name) => name === "b1" || name === "c1");
  await nextTurn();
  expect(begun).toEqual(["a1", "b1", "c1", "d1"]);
});

test("when all that waits is gone, what comes later has its turns", async () => {
  const share = new TurnShare(1);
  const gone = begunOf(share, ["a1", "a2", "a3"], () => true);
  await nextTurn();
  expect(gone).toEqual(["a1", "a2", "a3"]);
  const later = begunOf(share, ["a1", "a2", "a3"]);
  while (later.length < 3) await nextTurn();
  expect(later).toEqual(["a1", "a2", "a3"]);
});
