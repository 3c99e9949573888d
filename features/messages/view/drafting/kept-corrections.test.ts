// An abandoned edit is kept until its message is deleted, and then moves into the draft of the channel.
import { beforeEach, expect, spyOn, test } from "bun:test";
import { CallError } from "../../../../client/call.ts";
import type { Chat } from "../../../../client/chat.ts";
import { Drafts } from "../../../../client/drafts.ts";
import { ready } from "../../../../client/ready.ts";
import type { ServerFrame } from "../../../../protocol/frames.ts";
import { HandClock } from "../../../../tests/client/hand-clock.ts";
import { channelDeleted } from "../../../channels/events.ts";
import { memberRemoved } from "../../../members/events.ts";
import { serverDeleted } from "../../../servers/events.ts";
import { messageDeleted } from "../../events.ts";
import { isGoneAtServer } from "./deletions.ts";
import { correctionOf, dropCorrection, keepCorrection, keptCorrections } from "./kept-corrections.ts";
import { moveWithMessages } from "./move-corrections.ts";

const [gone, stays] = [
  { id: "1", channel_id: "3" },
  { id: "2", channel_id: "3" },
];
let drafts: Drafts;
let moved: string[];

beforeEach(() => {
  const store = { all: async () => [], replace: async () => {} };
  const tab = { last: () => undefined, note: () => {}, tell: () => {}, onTold: () => {} };
  drafts = new Drafts({ store, tab, later: () => () => {} });
  moved = [];
  for (const message of [gone, stays]) keepCorrection(message, "the walrus hums");
});

const isGone = async (id: string) => id === gone.id;

/** Alice's page. One of the messages is deleted on its server, which says so when asked. */
function openPage({ generation }: { generation: number }, answer = isGone, clock = new HandClock()) {
  const listeners = new Set<(frame: ServerFrame) => void>();
  const asked: string[] = [];
  const listen = (listener: (frame: ServerFrame) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const state = { generation, copy: { user: { id: "alice" } } };
  const isGone = (id: string) => {
    asked.push(id);
    return answer(id);
  };
  const chat = { listen, state } as unknown as Chat;
  const tell = (channelId: string) => moved.push(channelId);
  const end = moveWithMessages(chat, drafts, tell, { isGone, later: clock.later });
  const hear = async (type: string, data: object) => {
    for (const listener of listeners) listener({ type, data } as ServerFrame);
    await Bun.sleep(0);
  };
  return { asked, end, hear };
}

const kept = () => [correctionOf(gone), correctionOf(stays)];
const onlyOne = [undefined, "the walrus hums"];

test("a deleted message takes along the correction that was left of it, and no other one", async () => {
  const page = openPage({ generation: 0 });
  await page.hear(messageDeleted.type, gone);
  expect([kept(), page.asked]).toEqual([onlyOne, []]);
  page.end();
  await page.hear(messageDeleted.type, stays);
  expect(keptCorrections()).toEqual([stays]);
});

test("the correction is in the field of its room, behind what was written there, whichever room is open", async () => {
  const page = openPage({ generation: 0 });
  drafts.change(gone.channel_id, { text: "half a letter" });
  await page.hear(messageDeleted.type, gone);
  expect(drafts.get(gone.channel_id)?.text).toBe("half a letter\n\nthe walrus hums");
  // Only once, although the deletion is reported twice; an emptied edit leaves nothing.
  await page.hear(messageDeleted.type, gone);
  keepCorrection(stays, " ");
  await page.hear(messageDeleted.type, stays);
  expect([drafts.get(gone.channel_id)?.text, moved]).toEqual(["half a letter\n\nthe walrus hums", ["3"]]);
  page.end();
});

for (const { type } of [ready, channelDeleted, serverDeleted])
  test(`${type}, which may stand for deletions that nobody tells: the server is asked`, async () => {
    const page = openPage({ generation: 0 });
    await page.hear(type, { id: "3" });
    expect([kept(), page.asked.sort()]).toEqual([onlyOne, [gone.id, stays.id]]);
    page.end();
  });

test("what was deleted before it was listened is asked about at once", async () => {
  const page = openPage({ generation: 1 });
  await Bun.sleep(0);
  expect(kept()).toEqual(onlyOne);
  page.end();
});

test("what a server takes along goes when she leaves it or is put out, and nothing is asked when others are", async () => {
  const page = openPage({ generation: 0 });
  await page.hear(memberRemoved.type, { server_id: "3", user_id: "bob" });
  expect(page.asked).toEqual([]);
  await page.hear(memberRemoved.type, { server_id: "3", user_id: "alice" });
  expect([kept(), page.asked.sort()]).toEqual([onlyOne, [gone.id, stays.id]]);
  page.end();
});

test("fifty channels that go at once are asked about once, and once more for those that went meanwhile", async () => {
  const answers = Promise.withResolvers<void>();
  const page = openPage({ generation: 1 }, (id) => answers.promise.then(() => isGone(id)));
  for (let i = 0; i < 50; i++) await page.hear(channelDeleted.type, { id: `${i}` });
  expect(page.asked).toHaveLength(1);
  answers.resolve();
  await Bun.sleep(0);
  expect([kept(), page.asked.toSorted()]).toEqual([onlyOne, [gone.id, stays.id, stays.id]]);
  await page.hear(channelDeleted.type, { id: "51" });
  expect(page.asked).toHaveLength(4);
  page.end();
});

test("a look that the server refuses for now waits as it is told, and goes on with the next message", async () => {
  const clock = new HandClock();
  const refusals = [new CallError(429, { retry_after: 7 }), new CallError(0, {})];
  const answer = (id: string) => (refusals.length > 0 ? Promise.reject(refusals.shift()) : isGone(id));
  const page = openPage({ generation: 1 }, answer, clock);
  const turn = (ms: number) => {
    clock.turn(ms);
    return Bun.sleep(0);
  };
  const [first, second] = keptCorrections().map(({ id }) => id) as [string, string];
  await turn(0);
  await turn(6999);
  expect([kept(), page.asked]).toEqual([["the walrus hums", "the walrus hums"], [first]]);
  await turn(1);
  expect(page.asked).toEqual([first, second]);
  await turn(30_000);
  expect([kept(), page.asked, clock.pending]).toEqual([onlyOne, [first, second, first, second], 0]);
  page.end();
});

test("a message of which the server fails to tell keeps no other from being asked about, then and later", async () => {
  const clock = new HandClock();
  let deleted: string | undefined;
  const [broken, other] = keptCorrections().map(({ id }) => id) as [string, string];
  const answer = async (id: string) => {
    if (id === broken) throw new CallError(500, {});
    return id === deleted;
  };
  const page = openPage({ generation: 1 }, answer, clock);
  await Bun.sleep(0);
  expect([page.asked, clock.pending]).toEqual([[broken, other], 1]);
  clock.turn(30_000);
  await Bun.sleep(0);
  expect(page.asked).toEqual([broken, other, broken]);

  deleted = other;
  await page.hear(channelDeleted.type, { id: "3" });
  clock.turn(30_000);
  await Bun.sleep(0);
  expect(keptCorrections().map(({ id }) => id)).toEqual([broken]);
  page.end();
});

test("a message whose correction was saved during a pause is not asked about again", async () => {
  const clock = new HandClock();
  const page = openPage({ generation: 1 }, () => Promise.reject(new CallError(500, {})), clock);
  await Bun.sleep(0);
  for (const each of keptCorrections()) dropCorrection(each);
  clock.turn(30_000);
  await Bun.sleep(0);
  expect([page.asked.length, clock.pending]).toEqual([2, 0]);
  page.end();
});

test("nobody waits once it is listened no more, also where the refusal comes after that", async () => {
  const clock = new HandClock();
  const refused = new CallError(503, { retry_after: 2 });
  const page = openPage({ generation: 1 }, () => Promise.reject(refused), clock);
  await Bun.sleep(0);
  expect(clock.pending).toBe(1);
  page.end();
  expect(clock.pending).toBe(0);
  const left = openPage({ generation: 1 }, () => Promise.reject(refused), clock);
  left.end();
  await Bun.sleep(0);
  expect([clock.pending, kept()]).toEqual([0, ["the walrus hums", "the walrus hums"]]);
});

test("a message is gone where the server says so, not where a proxy in its place has no such page; unknown where it refuses", async () => {
  let [body, status] = ["<h1>404 page not found</h1>", 404];
  const fetching = spyOn(globalThis, "fetch").mockImplementation(
    (async () => new Response(body, { status, headers: { "Retry-After": "3" } })) as never,
  );
  expect(await isGoneAtServer(gone.id)).toBe(false);
  body = JSON.stringify({ error: "There is no such message.", code: "not_found" });
  expect(await isGoneAtServer(gone.id)).toBe(true);
  for (status of [429, 503])
    expect(await isGoneAtServer(gone.id).catch((error) => error)).toMatchObject({ status });
  fetching.mockRestore();
});
