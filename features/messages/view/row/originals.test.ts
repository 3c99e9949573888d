// Messages that rows fetch from outside the list, namely those that replies refer to, and the read marker.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { Chat } from "../../../../client/chat.ts";
import type { ServerFrame } from "../../../../protocol/frames.ts";
import { until } from "../../../../tests/house/machine/waiting.ts";
import { markUnreadFrom } from "../../../read-states/view/mark-unread.ts";
import { messageDeleted, messageUpdated } from "../../events.ts";
import { beginReading, markAsRead, useReading } from "../model/reading.ts";
import { originalsOf } from "./originals.ts";

let asked: { path: string; body?: unknown }[];
let held: (() => void)[];
let isHeld: boolean;
let answer: (path: string) => Response;
let fetching: { mockRestore(): void };

beforeEach(() => {
  [asked, held, isHeld] = [[], [], false];
  answer = () => new Response(null, { status: 204 });
  fetching = spyOn(globalThis, "fetch").mockImplementation((async (
    path: string,
    { body }: { body?: string },
  ) => {
    asked.push({ path, ...(body && { body: JSON.parse(body) }) });
    if (isHeld) await new Promise<void>((go) => held.push(go));
    return answer(path);
  }) as never);
});
afterEach(() => fetching.mockRestore());

function opened() {
  const listeners = new Set<(frame: ServerFrame) => void>();
  const chat = {
    state: { connection: { is: "live" } },
    listen: (listener: (frame: ServerFrame) => void) => listeners.add(listener),
  } as unknown as Chat;
  const hear = (type: string, data: object) => {
    for (const listener of listeners) listener({ type, data, ts: "" });
  };
  return { originals: originalsOf(chat), again: () => originalsOf(chat), hear };
}

const idIn = (path: string) => new URL(path, "http://a").searchParams.get("around") ?? "";

test("an original is asked for once; one in whose place another comes is gone; what failed can be asked for again", async () => {
  const { originals, again } = opened();
  let isAway = true;
  answer = (path) =>
    isAway
      ? Response.json({}, { status: 503 })
      : Response.json([{ id: idIn(path) === "gone" ? "next" : idIn(path), content: "Soup?" }]);
  originals.fetch("c", "there");
  await until(() => asked.length === 1, "nothing is asked for");
  await Bun.sleep(0);
  expect(originals.known("there")).toBeUndefined();
  isAway = false;
  let told = 0;
  const end = originals.subscribe(() => told++);
  for (const id of ["there", "gone", "there"]) originals.fetch("c", id);
  await until(
    () => originals.known("gone") !== undefined && originals.known("there") !== undefined,
    "they do not come",
  );
  expect([originals.known("there"), originals.known("gone")]).toMatchObject([{ content: "Soup?" }, "gone"]);
  originals.fetch("c", "there");
  expect([asked.length, told]).toEqual([3, 2]);
  expect(asked.every(({ path }) => path.includes("/channels/c/messages?") && path.endsWith("&limit=1"))).toBe(
    true,
  );
  expect(again()).toBe(originals);
  end();
});

test("however many could not be had, one timer asks for all of them again, later and later", async () => {
  const { originals } = opened();
  answer = () => Response.json({ error: "Later.", code: "rate_limited", retry_after: 5 }, { status: 429 });
  const waits: unknown[] = [];
  const timing = spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
    waits.push(ms);
    queueMicrotask(run);
  }) as never);
  const ids = ["1", "2", "3", "4", "5", "6"];
  const rows = originals.subscribe(() => {
    if (waits.length < 4) for (const id of ids) originals.fetch("c", id);
  });
  try {
    for (const id of ids) originals.fetch("c", id);
    for (let i = 0; i < 1000 && waits.length < 4; i++) await Promise.resolve();
    expect(waits).toEqual([5000, 6000, 12_000, 24_000]);
  } finally {
    rows();
    timing.mockRestore();
  }
});

test("originals are corrected and deleted by events, and four are asked for at once", async () => {
  const { originals, hear } = opened();
  answer = (path) => Response.json([{ id: idIn(path), content: "Soup?" }]);
  isHeld = true;
  for (const id of ["1", "2", "3", "4", "5", "6"]) originals.fetch("c", id);
  await until(() => held.length === 4, "they are not asked for");
  await Bun.sleep(0);
  expect(asked).toHaveLength(4);
  isHeld = false;
  for (const go of held) go();
  await until(() => ["5", "6"].every((id) => originals.known(id) !== undefined), "the others do not come");
  hear(messageUpdated.type, { id: "1", content: "Stew?" });
  hear(messageDeleted.type, { id: "2" });
  hear(messageDeleted.type, { id: "nobody asked for it" });
  hear(messageUpdated.type, { id: "2", content: "back" });
  expect([originals.known("1"), originals.known("2"), originals.known("3")]).toMatchObject([
    ...[{ content: "Stew?" }, "gone", { content: "Soup?" }],
  ]);
  expect(originals.known("nobody asked for it")).toBeUndefined();
});

test("after READY originals stay until they are asked for again; those that could not be had are asked for again, too", async () => {
  const { originals, hear } = opened();
  let content = "Soup?";
  answer = (path) => Response.json([{ id: idIn(path), content }]);
  originals.fetch("c", "1");
  await until(() => originals.known("1") !== undefined, "it does not come");
  content = "Stew?";
  const asksAgain = originals.times;
  hear("READY", {});
  expect(originals.times).toBeGreaterThan(asksAgain);
  expect(originals.known("1")).toMatchObject({ content: "Soup?" });
  originals.fetch("c", "1");
  await until(() => (originals.known("1") as { content: string }).content === "Stew?", "it stays as it was");
  originals.fetch("c", "1");
  expect(asked).toHaveLength(2);
  hear("RESUMED", {});
  originals.fetch("c", "1");
  expect(asked).toHaveLength(2);
  answer = () => Response.json({}, { status: 503 });
  const before = originals.times;
  originals.fetch("c", "2");
  await until(() => originals.times > before, "rows do not ask again");
});

const message = { channel_id: "c", id: "01890000-0000-7000-8000-000000000002" };
const before = "01890000-0000-7000-8000-000000000001";

test("what is marked as unread begins at that message at once, and is as before where the server refuses", async () => {
  const last = "01890000-0000-7000-8000-000000000009";
  beginReading("c", undefined);
  await markUnreadFrom(message, last);
  const fresh = { after: before, upTo: last };
  expect(useReading.getState()).toMatchObject({ fresh, isPaused: true });
  expect(asked).toMatchObject([{ body: { message_id: before } }]);
  beginReading("c", undefined);
  answer = () => Response.json({ error: "No.", code: "forbidden" }, { status: 403 });
  const refused = await markUnreadFrom(message, last).catch((error: Error) => error.message);
  expect([refused, useReading.getState().fresh, useReading.getState().isPaused]).toEqual([
    "No.",
    undefined,
    false,
  ]);
  answer = () => new Response(null, { status: 204 });
  await markUnreadFrom({ ...message, channel_id: "another" }, last);
  expect(useReading.getState()).toMatchObject({ channelId: "c", isPaused: false });
});

test("a channel that was opened while the server refused to mark another one as unread stays as it is", async () => {
  beginReading("c", undefined);
  answer = () => Response.json({ error: "No.", code: "forbidden" }, { status: 403 });
  isHeld = true;
  const refused = markUnreadFrom(message, null).catch((error: Error) => error.message);
  await until(() => held.length === 1, "it is not asked for");
  const fresh = { after: null, upTo: message.id };
  beginReading("garden", fresh);
  held[0]?.();
  expect(await refused).toBe("No.");
  expect(useReading.getState()).toMatchObject({ channelId: "garden", fresh, isPaused: false });
});

test("a channel that is marked as read has no line any more, and an empty one tells nobody", async () => {
  beginReading("c", { after: null, upTo: message.id });
  markAsRead("c", message.id);
  expect(useReading.getState().fresh).toBeUndefined();
  expect(asked).toMatchObject([{ body: { message_id: message.id } }]);
  markAsRead("c", null);
  expect(asked).toHaveLength(1);
});
