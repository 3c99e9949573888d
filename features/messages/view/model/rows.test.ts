// The rows of a channel: groups, the line above new messages, and the step from one list of rows to the next.
import { expect, test } from "bun:test";
import type { Unsent } from "../../../../client/unsent.ts";
import type { Message } from "../../contract.ts";
import { indexAt, positionOf, segmentsOf } from "../list/rail.ts";
import { planOf } from "../window/row-plan.ts";
import { type Row, rowsOf, withSameRows } from "./rows.ts";

const start = new Date(2026, 0, 5, 12).getTime();
const minuteMs = 60_000;

function said(id: string, by: string, minutes: number, more: Partial<Message> = {}): Message {
  const author = { id: by, username: by, display_name: by, avatar: null, kind: "user" as const };
  const created_at = new Date(start + minutes * minuteMs).toISOString();
  const mentions = { user_ids: [], role_ids: [], everyone: false };
  return {
    ...{ id, channel_id: "c", server_id: "s", author, content: id, reply_to: null, mentions },
    ...{ attachments: [], nonce: null, edited_at: null, created_at, reactions: [], ...more },
  };
}

function unsent(nonce: string, minutes: number, more: Partial<Unsent> = {}): Unsent {
  const writtenAt = start + minutes * minuteMs;
  return {
    ...{ nonce, authorId: "me", channelId: "c", content: nonce, replyTo: null, attachments: [] },
    ...{ writtenAt, state: "waiting", ...more },
  };
}

interface Told {
  fresh?: { after: string | null; upTo: string };
  unsent?: Unsent[];
}

/** Takes messages in the order of writing, oldest first. */
const rows = (messages: Message[], { fresh, unsent = [] }: Told = {}) =>
  rowsOf({ messages: messages.toReversed(), unsent, ownId: "me", fresh });

/** `+` begins a group, `:` shows the time within it, `!` is unread. */
const drawn = (all: readonly Row[]) =>
  all.map((row) => {
    if (row.kind !== "message" && row.kind !== "unsent") return row.kind;
    const shows = row.kind === "message" && row.showsTime && !row.isHead;
    const isUnread = row.kind === "message" && row.isUnread;
    return `${row.isHead ? "+" : ""}${shows ? ":" : ""}${row.key}${isUnread ? "!" : ""}`;
  });

test("messages of one author within seven minutes stand together; an answer, another author and another day begin anew", () => {
  const bot = { author: { ...said("x", "ann", 0).author, kind: "bot" as const } };
  const all = [
    ...[said("a", "ann", 0), said("b", "ann", 0), said("c", "ann", 6), said("d", "ann", 13)],
    ...[said("e", "bob", 13), said("f", "bob", 14, { reply_to: "a" }), said("g", "ann", 14)],
    ...[said("h", "ann", 14, bot), said("i", "ann", 12 * 60, bot)],
  ];
  expect(drawn(rows(all))).toEqual([...["day", "+a", "b", ":c", "+d", "+e", "+f", "+g", "+h", "day", "+i"]]);
});

test("the line stands above the first of others that is new; what one wrote oneself, and what came later, is not counted", () => {
  const all = ["a", "b", "c", "d", "e"].map((id) => said(id, id === "b" ? "me" : "ann", 0));
  const fresh = { after: "a", upTo: "d" };
  const some = rows(all, { fresh });
  expect(drawn(some)).toEqual(["day", "+a", "+b!", "new", "+c!", "d!", "e"]);
  expect(some.find(({ kind }) => kind === "new")).toMatchObject({ count: 2, hasMore: false });
  const half = rows(all.slice(0, 3), { fresh });
  expect(half.find(({ kind }) => kind === "new")).toMatchObject({ count: 1, hasMore: true });
  expect(drawn(rows(all.slice(0, 2), { fresh }))).toEqual(["day", "+a", "+b"]);
  expect(drawn(rows(all.slice(0, 1), { fresh: { after: null, upTo: "a" } }))).toEqual(["day", "new", "+a!"]);
});

test("a message that was sent keeps the row in which it waited, and stands there once", () => {
  const there = said("b", "me", 1, { nonce: "n1" });
  const others = said("a", "ann", 0, { nonce: "of Ann's page" });
  const waiting = [unsent("n1", 1), unsent("n2", 2), unsent("n3", 10), unsent("n4", 10, { replyTo: "a" })];
  expect(drawn(rows([others, there], { unsent: waiting }))).toEqual([
    ...["day", "+a", "+n1", "n2", "+n3", "+n4"],
  ]);
  expect(drawn(rows([others], { unsent: [unsent("n1", 1)] }))).toEqual(["day", "+a", "+n1"]);
});

test("rows that are as they were are the same objects", () => {
  const [one, two] = [said("a", "ann", 0), said("b", "ann", 1)];
  const before = rows([one, two]);
  const after = withSameRows(before, rows([one, { ...two, content: "corrected" }]));
  expect(after.map((row, i) => row === before[i])).toEqual([true, true, false]);
  expect(withSameRows(before, rows([one, two])).every((row, i) => row === before[i])).toBe(true);
});

test("a row that has its author's line keeps it when older messages come, or one between goes", () => {
  const all = [said("a", "ann", 0), said("b", "ann", 1), said("c", "bob", 2), said("d", "ann", 3)];
  const [, b, , d] = all;
  if (!b || !d) throw new Error("there are four");
  const later = rows(all.slice(1));
  expect(drawn(later)).toEqual(["day", "+b", "+c", "+d"]);
  expect(drawn(withSameRows(later, rows(all)))).toEqual(["day", "+a", "+b", "+c", "+d"]);
  const shorter = withSameRows(later, rows([b, d]));
  expect(drawn(shorter)).toEqual(["day", "+b", "+d"]);
  expect(shorter.every((row) => later.includes(row))).toBe(true);
  expect(drawn(withSameRows([], rows([b, d])))).toEqual(["day", "+b", ":d"]);
});

test("the rail has a part for each day, the least one for a short day, and leads to each row and back", () => {
  const many = Array.from({ length: 200 }, (_, i) => said(`m${i}`, "ann", i / 10));
  const all = rows([said("first", "ann", -24 * 60), ...many], { fresh: { after: "m0", upTo: "m9" } });
  const parts = segmentsOf(all);
  expect(parts.map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, all.length],
  ]);
  expect(parts[0]?.start).toBe(0);
  expect(parts[0]?.end).toBeGreaterThan(0.03);
  expect(parts[1]?.start).toBe(parts[0]?.end as number);
  expect(parts[1]?.end).toBeCloseTo(1);
  const unread = all.filter((row) => row.kind === "message" && row.isUnread).length;
  expect(parts.map((part) => part.unread)).toEqual([0, unread]);
  for (const index of [0, 1, 2, 3, 100, all.length - 1]) {
    expect(indexAt(parts, positionOf(parts, index) + 1e-9)).toBe(index);
  }
  expect([indexAt(parts, -1), indexAt(parts, 2), indexAt([], 0.5)]).toEqual([0, all.length - 1, 0]);
  expect(positionOf(parts, all.length)).toBeCloseTo(1);
  expect(positionOf([], 3)).toBe(0);
});

test("of a change above and below what the reader sees that above is drawn first, counted from the end", () => {
  const keyed = (...keys: string[]) => keys.map((key) => ({ key }));
  const plan = (before: string, wanted: string, ...watched: string[]) => {
    const { now, isShift } = planOf(keyed(...before), keyed(...wanted), watched);
    return [now.map(({ key }) => key).join(""), isShift];
  };
  expect(plan("cd", "abcd", "c")).toEqual(["abcd", true]);
  expect(plan("cd", "cde", "c")).toEqual(["cde", false]);
  expect(plan("cd", "abcde", "c")).toEqual(["abcd", true]);
  expect(plan("abcd", "bce", "c")).toEqual(["bce", true]);
  expect(plan("abcd", "bcef", "c")).toEqual(["bcd", true]);
  expect(plan("abc", "xyz", "b")).toEqual(["xyz", false]);
  // The rows in view are gone: the last remaining row is kept.
  expect(plan("bcd", "abd", "c")).toEqual(["abd", false]);
});
