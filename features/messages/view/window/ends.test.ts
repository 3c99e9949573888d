// Which ends of the loaded messages are loaded further.
import { expect, test } from "bun:test";
import { type Span, spanMost, type Window } from "../../../../client/window.ts";
import type { Message } from "../../contract.ts";
import { endsToLoad } from "./ends.ts";

const span = (length: number): Span => ({ messages: Array<Message>(length), hasOlder: true });
const far = (length: number): Window => ({ far: span(length), isHeld: true });

test("older ones near the upper end, newer ones near the lower end of a part further up", () => {
  expect(endsToLoad({ above: 200, below: 9000 }, far(100))).toEqual(["older"]);
  expect(endsToLoad({ above: 9000, below: 200 }, far(100))).toEqual(["newer"]);
  expect(endsToLoad({ above: 200, below: 200 }, far(100))).toEqual(["older", "newer"]);
  expect(endsToLoad({ above: 9000, below: 9000 }, far(100))).toEqual([]);
  expect(endsToLoad({ above: 200, below: 0 }, { live: span(100) })).toEqual(["older"]);
  expect(endsToLoad({ above: 200, below: 0 }, { live: { ...span(100), hasOlder: false } })).toEqual([]);
});

test("a full window in few rows loads at one end only, and at none where the reader is in the middle", () => {
  expect(endsToLoad({ above: 0, below: 0 }, far(spanMost))).toEqual([]);
  expect(endsToLoad({ above: 0, below: 400 }, far(spanMost))).toEqual(["older"]);
  expect(endsToLoad({ above: 400, below: 0 }, far(spanMost))).toEqual(["newer"]);
  expect(endsToLoad({ above: 0, below: 9000 }, far(spanMost))).toEqual(["older"]);
  // A page at the old end would be thrown away.
  expect(endsToLoad({ above: 0, below: 0 }, { live: span(spanMost) })).toEqual([]);
  expect(endsToLoad({ above: 0, below: 400 }, { live: span(spanMost) })).toEqual([]);
  expect(endsToLoad({ above: 0, below: 400 }, { live: span(spanMost), isHeld: true })).toEqual(["older"]);
});
