// The outbox sends in order, each message once, and tries again after faults as soon as it may.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageCreated } from "../../features/messages/events.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { expectWaiting, isEmpty, OutboxScene, posted, say, until } from "./outbox-scene.ts";
import { idOf } from "./scene.ts";

let at: OutboxScene;
beforeEach(() => {
  at = new OutboxScene();
});
afterEach(() => at.end());

test("sends in the order of writing, one at a time in a channel, and channels beside each other", async () => {
  const { chat, makeOutbox, post, store } = at;
  const outbox = makeOutbox();
  post.isHeld = true;
  for (const content of ["one", "two", "three"]) await say(outbox, content);
  await say(outbox, "elsewhere", "lounge");
  await until(() => post.got.length === 2);
  expect(post.contents.sort()).toEqual(["elsewhere", "one"]);
  post.release();
  await isEmpty(outbox);
  expect(post.contents.filter((each) => each !== "elsewhere")).toEqual(["one", "two", "three"]);
  expect(chat.texts.slice(-3)).toEqual(["one", "two", "three"]);
  expect(store.kept.size).toBe(0);
});

test("shows a message once, whether its event comes before the answer, behind it, or in its place", async () => {
  const { chat, makeOutbox, post } = at;
  const outbox = makeOutbox();
  post.isHeld = true;
  await say(outbox, "before");
  await until(() => post.got.length === 1);
  const [got] = post.got;
  if (!got) throw new Error("it was not sent");
  const created = (content: string, nonce: string): ServerFrame => ({
    type: messageCreated.type,
    data: posted(idOf("general"), { content, nonce }),
    server_id: idOf("home"),
    ts: "2026-01-01T12:00:00.000Z",
  });
  chat.hear(created("before", got.nonce));
  expect(outbox.unsent).toEqual([]);
  post.release();
  await say(outbox, "behind");
  await isEmpty(outbox);
  chat.hear(created("behind", post.got[1]?.nonce ?? ""));
  expect(chat.texts.filter((each) => each === "before" || each === "behind")).toEqual(["before", "behind"]);
});

test("tries again what a network or a server could not take, always with the same nonce, before what was written later", async () => {
  const { makeOutbox, post, turn } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 503 }, { status: 500 }];
  await say(outbox, "one");
  await say(outbox, "two");
  for (const tries of [1, 2]) {
    await until(() => post.got.length === tries && outbox.unsent[0]?.nextTryAt !== undefined);
    // The first fault is retried silently; the second is reported to the writer.
    expect(outbox.unsent[0]?.faultId).toBe(tries === 1 ? undefined : "");
    turn(30_000);
  }
  await isEmpty(outbox);
  expect(post.contents).toEqual(["one", "one", "one", "two"]);
  expect(new Set(post.got.map(({ nonce }) => nonce)).size).toBe(2);
});

test("a clock that is set back while a message waits makes the wait no longer", async () => {
  const { clock, makeOutbox, post } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 429, body: { error: "Too fast.", code: "rate_limited", retry_after: 7 } }];
  await say(outbox, "one");
  await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
  at.now -= 3_600_000;
  clock.turn(7000);
  await isEmpty(outbox);
  expect(post.contents).toContain("one");
});

test("waits as long as it was told to by 429, also when the connection comes back meanwhile", async () => {
  const { chat, makeOutbox, post, turn } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 429, body: { error: "Too fast.", code: "rate_limited", retry_after: 7 } }];
  await say(outbox, "one");
  await until(() => outbox.unsent[0]?.nextTryAt === 8000);
  expect(outbox.unsent[0]).toMatchObject({ state: "waiting", failure: "Too fast." });
  chat.become({ connection: { is: "connecting" } });
  chat.become({ connection: { is: "live" } });
  turn(6900);
  expectWaiting(outbox, 8000);
  turn(200);
  await isEmpty(outbox);
  expect(post.got).toHaveLength(2);
});

test("told to wait for an hour, it does not ask again and again, but after ten minutes", async () => {
  const { makeOutbox, post, turn } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 503, body: { error: "Back later.", code: "internal", retry_after: 3600 } }];
  await say(outbox, "one");
  await until(() => outbox.unsent[0]?.nextTryAt === 601_000);
  turn(599_000);
  expectWaiting(outbox, 601_000);
  turn(1000);
  await isEmpty(outbox);
  expect(post.got).toHaveLength(2);
});

test("sends at once what waits for a try when the connection is back, and not with each frame", async () => {
  const { chat, makeOutbox, post } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 503 }, { status: 503 }];
  await say(outbox, "one");
  await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
  const { nextTryAt = 0 } = outbox.unsent[0] ?? {};
  chat.become({});
  chat.become({ generation: 2 });
  expectWaiting(outbox, nextTryAt);
  chat.become({ connection: { is: "connecting" } });
  chat.become({ connection: { is: "live" } });
  await until(() => post.got.length === 2);
});

test("401: the message waits for its writer to sign in again", async () => {
  const { chat, makeOutbox, post, store, turn } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 401, body: { error: "Sign in.", code: "unauthenticated" } }];
  await say(outbox, "one");
  await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
  expect(store.kept.size).toBe(1);
  chat.become({ connection: { is: "connecting" } });
  chat.become({ connection: { is: "live" } });
  turn(600_000);
  expect(outbox.unsent[0]?.state).toBe("waiting");
  outbox.release();
  await isEmpty(outbox);
  expect(post.got).toHaveLength(2);
});

test("a reply whose original is deleted before it goes out is sent without it", async () => {
  const { makeOutbox, post } = at;
  const outbox = makeOutbox();
  const fields = [{ path: "reply_to", message: "is not a message of this channel" }];
  post.next = [
    { status: 400, body: { error: "reply_to: is not a message.", code: "invalid_request", fields } },
  ];
  await outbox.add({ channelId: idOf("general"), content: "Yes", replyTo: idOf("m1"), attachments: [] });
  await isEmpty(outbox);
  expect(post.got.map(({ content, reply_to }) => [content, reply_to])).toEqual([
    ["Yes", idOf("m1")],
    ["Yes", null],
  ]);
  expect(post.got[1]?.nonce).toBe(post.got[0]?.nonce ?? "");
});
