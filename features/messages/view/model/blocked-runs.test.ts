// Rows of blocked people's messages: what is counted together, what interrupts it, and what was asked for.
import { expect, test } from "bun:test";
import type { Message } from "../../contract.ts";
import { segmentsOf } from "../list/rail.ts";
import { askedForWith, askFor, foldBlocked, isRowOf } from "./blocked-runs.ts";
import { type MessageRow, type Row, rowsOf, withSameRows } from "./rows.ts";

const start = new Date(2026, 0, 5, 12).getTime();
const dayMs = 24 * 60 * 60_000;

function said(id: string, by: string, days = 0): Message {
  const author = { id: by, username: by, display_name: by, avatar: null, kind: "user" as const };
  const created_at = new Date(start + days * dayMs).toISOString();
  const mentions = { user_ids: [], role_ids: [], everyone: false };
  return {
    ...{ id, channel_id: "c", server_id: "s", author, content: id, reply_to: null, mentions },
    ...{ attachments: [], nonce: null, edited_at: null, created_at, reactions: [] },
  };
}

const rows = (messages: Message[], fresh?: { after: string | null; upTo: string }) =>
  rowsOf({ messages: messages.toReversed(), unsent: [], ownId: "me", fresh });

const drawn = (all: readonly Row[]) =>
  all.map((row) => (row.kind === "message" ? (row.folded ?? row.message.content) : row.kind));

const none: ReadonlySet<string> = new Set();

test("messages of blocked people in a row are one row, whoever of them wrote; others and days stand between", () => {
  const all = [
    ...[said("a", "ann"), said("b", "bob"), said("c", "carl"), said("d", "ann"), said("e", "bob")],
    ...[said("f", "bob", 1), said("g", "bob", 1)],
  ];
  const folded = foldBlocked(rows(all), ["bob", "carl"], none);
  expect(drawn(folded)).toEqual(["day", "a", "b c", "d", "e", "day", "f g"]);
  // Read up to its last message; its place stays when another follows.
  expect(folded.at(-1)).toMatchObject({ key: "f", message: { id: "g" } });
  expect(drawn(foldBlocked(rows(all), [], none))).not.toContain("b c");
});

test("the line of new messages stands between", () => {
  const all = ["a", "b", "c"].map((id) => said(id, "bob"));
  const folded = foldBlocked(rows(all, { after: "a", upTo: "c" }), ["bob"], none);
  expect(drawn(folded)).toEqual(["day", "a", "new", "b c"]);
});

test("each of its messages is found in the row, and all are rows of their own once they were asked for", () => {
  const all = [said("a", "ann"), said("b", "bob"), said("c", "bob"), said("d", "bob")];
  const folded = foldBlocked(rows(all), ["bob"], none);
  const keyOf = (id: string) => folded.find((row) => row.kind === "message" && isRowOf(row, id))?.key;
  expect(["a", "b", "c", "d"].map(keyOf)).toEqual(["a", "b", "b", "b"]);
  const blocked = ["bob"];
  askFor("b c", blocked);
  const shown = foldBlocked(rows(all), blocked, askedForWith(blocked));
  expect(shown.map(({ key }) => key).slice(1)).toEqual(["a", "b", "c", "d"]);
  expect(shown.filter((row) => row.kind === "message" && row.folded)).toHaveLength(1);
  askFor("d", blocked);
  expect([...askedForWith(blocked)]).toEqual(["b", "c", "d"]);
});

test("messages that were asked for are counted again once somebody else is blocked, or nobody", () => {
  const blocked = ["bob"];
  askFor("b", blocked);
  expect([...askedForWith(["bob", "carl"])]).toEqual([]);
  askFor("c", ["bob", "carl"]);
  expect([...askedForWith(blocked)]).toEqual([]);
});

test("a row that counts keeps its key when it grows at either end", () => {
  const messages = [said("c", "bob"), said("d", "bob")];
  const folded = foldBlocked(rows(messages), ["bob"], none);
  const more = [said("a", "bob"), said("b", "bob"), ...messages, said("e", "bob")];
  const grown = withSameRows(folded, foldBlocked(rows(more), ["bob"], none));
  expect(grown.at(-1)).toMatchObject({ key: "c", folded: "a b c d e" });
  // Once they are shown each has its own key.
  const shown = withSameRows(grown, foldBlocked(rows(more), [], none));
  expect(shown.map(({ key }) => key).slice(1)).toEqual(["a", "b", "c", "d", "e"]);
});

test("a row that was counted is another one once nobody is blocked any more, and the same one as long as they are", () => {
  const messages = [said("a", "ann"), said("b", "bob")];
  const folded = foldBlocked(rows(messages), ["bob"], none);
  expect(withSameRows(folded, foldBlocked(rows(messages), [], none))).toEqual(rows(messages));
  const same = withSameRows(folded, foldBlocked(rows(messages), ["bob"], none));
  for (const [i, row] of same.entries()) expect(row).toBe(folded[i]!);
});

test("what it counts is unread while one of its messages is; the next message that is shown names its author", () => {
  const messages = [said("a", "bob"), said("b", "bob"), said("c", "bob")];
  const fresh = { after: null, upTo: "b" };
  expect(foldBlocked(rows(messages, fresh), ["bob"], none).at(-1)).toMatchObject({
    ...{ isUnread: true, folded: "a b c" },
  });
  expect(segmentsOf(foldBlocked(rows(messages, fresh), ["bob"], none))[0]?.unread).toBe(3);
  expect(foldBlocked(rows(messages), ["bob"], new Set(["c"])).at(-1)).toMatchObject({
    ...{ message: { id: "c" }, isHead: true },
  });
  expect(isRowOf(foldBlocked(rows(messages), ["bob"], none).at(-1) as MessageRow, "")).toBe(false);
});
