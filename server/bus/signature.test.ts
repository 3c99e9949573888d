// T64: a recorded line cannot be replayed, whichever processes have started or ended since.
import { expect, test } from "bun:test";
import { Signatures } from "./signature.ts";

const noon = Date.UTC(2026, 0, 1, 12);
let steadyMs = 0;
const steady = () => steadyMs;

/** A process that starts at this time of the database's clock. */
function begun(name: string, at: number): Signatures {
  return new Signatures("the key", name, { at, steady });
}

function numberOf(sender: Signatures): number {
  return Number(sender.sign("stream", "said").split(" ")[1]);
}

/** The verdict of a process on a line for a stream. */
function judged(listener: Signatures, line: string) {
  const end = line.indexOf("\n");
  return listener.judge("stream", line.slice(0, end), line.slice(end + 1));
}

test("a line from before a process began is late for it, though it never heard of the sender", () => {
  const line = begun("gone", noon).sign("stream", "said");
  expect(judged(begun("there", noon), line)).toBe("new");
  expect(judged(begun("restarted", noon + 2001), line)).toBe("late");
});

test("a line that a process never got is late for it half a minute later", () => {
  const [listener, sender] = [begun("listener", noon), begun("sender", noon)];
  const [first = "", second = ""] = [1, 2].map((i) => sender.sign("stream", `line ${i}`));
  expect(judged(listener, first)).toBe("new");
  steadyMs += 30_001;
  expect(judged(listener, second)).toBe("late");
  expect(judged(listener, sender.sign("stream", "line 3"))).toBe("new");
});

test("thousands of lines of one moment, and of a database whose clock is set back, have numbers that rise", () => {
  const [listener, sender] = [begun("listener", noon), begun("sender", noon)];
  const lines = Array.from({ length: 3000 }, (_, i) => sender.sign("stream", `line ${i}`));
  for (const each of [listener, sender]) each.tellTime(noon - 3600_000, steadyMs);
  lines.push(sender.sign("stream", "the last"));
  expect(new Set(lines.map((line) => judged(listener, line)))).toEqual(new Set(["new"]));
  expect(new Set(lines.map((line) => judged(listener, line)))).toEqual(new Set(["late"]));
});

test("where the database's clock is set forward, those who know it hear each other, and are not late for others", () => {
  const [listener, sender] = [begun("listener", noon), begun("sender", noon)];
  for (const each of [listener, sender]) each.tellTime(noon + 3600_000, steadyMs);
  expect(judged(listener, sender.sign("stream", "an hour later"))).toBe("new");
  expect(judged(begun("new", noon + 3600_000), sender.sign("stream", "and to a new one"))).toBe("new");
});

test("where the database's clock is set back, those who begin then are heard by those who began before", () => {
  const listener = begun("listener", noon);
  listener.tellTime(noon - 3600_000, steadyMs);
  expect(judged(listener, begun("new", noon - 3600_000).sign("stream", "said"))).toBe("new");
  const old = begun("old", noon - 3600_000 - 2001).sign("stream", "recorded before that");
  expect(judged(listener, old)).toBe("late");
});

test("an answer that was a minute on its way, or whose question was, sets no clock back", () => {
  const [listener, sender] = [begun("listener", noon), begun("sender", noon)];
  const asked = steadyMs;
  steadyMs += 60_000;
  sender.tellTime(noon, asked);
  expect(judged(listener, sender.sign("stream", "after the answer's minute"))).toBe("new");
  steadyMs += 60_000;
  sender.tellTime(noon + 120_000, asked + 60_000);
  expect(judged(listener, sender.sign("stream", "after the question's minute"))).toBe("new");
});

test("an answer that was long on its way sets the clock to the nearest that it allows", () => {
  const [back, forward] = [begun("back", noon), begun("forward", noon)];
  const asked = steadyMs;
  steadyMs += 10_000;
  back.tellTime(noon - 3600_000, asked);
  forward.tellTime(noon + 3600_000, asked);
  expect(numberOf(back)).toBe((noon - 3600_000 + 10_000) * 1000);
  expect(numberOf(forward)).toBe((noon + 3600_000) * 1000);
});

test("a sender that was forgotten for a thousand others says nothing again", () => {
  const listener = begun("listener", noon);
  const line = begun("forgotten", noon).sign("stream", "said");
  expect(judged(listener, line)).toBe("new");
  for (let i = 0; i < 1000; i++) {
    steadyMs += 1;
    const others = begun(`other-${i}`, noon + 1 + i);
    expect(judged(listener, others.sign("stream", "hello"))).toBe("new");
  }
  expect(judged(listener, line)).toBe("late");
});
