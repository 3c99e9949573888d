// The order in which code blocks are highlighted, with blocks among them that take too long.
import { expect, test } from "bun:test";
import { type Block, ColourTurns } from "./colour-turns.ts";

const here = new AbortController().signal;
const blockOf = (text: string): Block => ({ text, language: "ts" });
const hostile = (i: number) => blockOf(`endless ${i} ${"x".repeat(1000)}`);

/** Highlights every block except endless ones, which use all of their time; `spentMs` adds it up. */
function colouring({ slowTries = Number.POSITIVE_INFINITY } = {}) {
  const seen = { spentMs: 0, order: [] as string[] };
  const tries = new Map<string, number>();
  const turns = new ColourTurns(async ({ text }: Block, ms) => {
    await Promise.resolve();
    const tried = (tries.get(text) ?? 0) + 1;
    tries.set(text, tried);
    seen.order.push(`${text.slice(0, 9)} ${ms}`);
    if (text.startsWith("broken")) throw new Error("no worker");
    if (!text.startsWith("endless") || tried > slowTries) return { pieces: text };
    seen.spentMs += ms;
    return undefined;
  });
  return { turns, seen };
}

test("code as people write it waits for the first try of one block that takes too long, and for no second one", async () => {
  const { turns, seen } = colouring();
  const endless = Array.from({ length: 50 }, (_, i) => turns.coloursOf(hostile(i), here));
  const honest = turns.coloursOf(blockOf("const salt = 1;"), here).then((answer) => {
    expect(answer).toEqual({ pieces: "const salt = 1;" });
    return seen.spentMs;
  });
  expect(await honest).toBeLessThanOrEqual(50);
  expect(await Promise.all(endless)).toEqual(Array(50).fill(undefined));
});

test("no second try begins while a block waits for its first, however long that is", async () => {
  const { turns, seen } = colouring();
  const endless = Array.from({ length: 50 }, (_, i) => turns.coloursOf(hostile(i), here));
  const long = turns.coloursOf(blockOf("y".repeat(4000)), here).then(() => seen.spentMs);
  expect(await long).toBe(50 * 50);
  await Promise.all(endless);
});

test("a block that came too late on a busy machine gets its colours at the second try", async () => {
  const { turns, seen } = colouring({ slowTries: 1 });
  const slow = hostile(1);
  expect(await turns.coloursOf(slow, here)).toEqual({ pieces: slow.text });
  expect(seen.order).toEqual(["endless 1 50", "endless 1 500"]);
});

test("nothing is done for who has left, and one that fails keeps none waiting", async () => {
  const { turns, seen } = colouring();
  const gone = new AbortController();
  const broken = turns.coloursOf(blockOf("broken"), here);
  const left = turns.coloursOf(blockOf("left"), gone.signal);
  gone.abort();
  const next = turns.coloursOf(blockOf("next block"), here);
  expect(await Promise.all([broken, left, next])).toEqual([undefined, undefined, { pieces: "next block" }]);
  expect(seen.order).toEqual(["broken 50", "next bloc 50", "broken 500"]);
});
