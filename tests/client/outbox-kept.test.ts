// The outbox keeps messages until the server has them: refused ones, over reloads, for other tabs, and for each person.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { withWindow } from "../../client/copy.ts";
import type { Outbox } from "../../client/outbox.ts";
import { isEmpty, OutboxScene, posted, say, until } from "./outbox-scene.ts";
import { idOf } from "./scene.ts";

let at: OutboxScene;
beforeEach(() => {
  at = new OutboxScene();
});
afterEach(() => at.end());

test("keeps what is refused with the server's sentence, lets others by, and sends it again or drops it when asked", async () => {
  const { makeOutbox, post, store } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 403, body: { error: "You may not write here.", code: "forbidden" } }];
  await say(outbox, "one");
  await say(outbox, "two");
  await until(() => outbox.unsent.length === 1);
  const [failed] = outbox.unsent;
  expect(failed).toMatchObject({ content: "one", state: "failed", failure: "You may not write here." });
  expect([...store.kept.values()]).toEqual([expect.objectContaining({ state: "failed" })]);
  outbox.retry(failed?.nonce ?? "");
  await isEmpty(outbox);
  expect(post.contents).toEqual(["one", "two", "one"]);

  post.next = [{ status: 403, body: { error: "No.", code: "forbidden" } }];
  await say(outbox, "three");
  await until(() => outbox.unsent[0]?.state === "failed");
  outbox.discard(outbox.unsent[0]?.nonce ?? "");
  expect(outbox.unsent).toEqual([]);
  await until(() => store.kept.size === 0);
});

test("a message that was posted, and deleted before its writer's page knew, is not kept", async () => {
  const { makeOutbox, post, store, turn } = at;
  const outbox = makeOutbox();
  const deleted = { error: "The message with this nonce was deleted.", code: "conflict" };
  post.next = [{ status: 502 }, { status: 409, body: deleted }];
  await say(outbox, "the walrus");
  await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
  expect([...store.kept.values()].map(({ content }) => content)).toEqual(["the walrus"]);
  turn(30_000);
  await isEmpty(outbox);
  await until(() => store.kept.size === 0);
  expect(post.contents).toEqual(["the walrus", "the walrus"]);
});

test("one that cannot be held is refused at once, so that its writer keeps it", () => {
  const { chat, makeOutbox } = at;
  chat.state = { copy: undefined, connection: { is: "connecting" }, generation: 0 };
  const outbox = makeOutbox();
  expect(() => say(outbox, "one")).toThrow("nobody is signed in");
  expect(outbox.unsent).toEqual([]);
});

test("it is safe once it is kept; where the browser keeps nothing, once it is sent or discarded", async () => {
  const { makeOutbox, post, store } = at;
  const safe: string[] = [];
  const sayAndTell = (outbox: Outbox, content: string) =>
    void say(outbox, content).then(() => safe.push(content));
  const outbox = makeOutbox();
  post.isHeld = true;
  sayAndTell(outbox, "kept");
  await until(() => safe.length === 1);
  expect([outbox.isAtRisk, post.got.length]).toEqual([false, 1]);

  store.keep = () => Promise.reject(new Error("full"));
  sayAndTell(outbox, "not kept");
  sayAndTell(outbox, "not kept either");
  await until(() => outbox.isAtRisk);
  expect(safe).toEqual(["kept"]);
  outbox.discard(outbox.unsent[2]?.nonce ?? "");
  await until(() => safe.length === 2);
  expect(safe).toEqual(["kept", "not kept either"]);
  post.release();
  await isEmpty(outbox);
  await until(() => safe.length === 3);
  expect([outbox.isAtRisk, post.contents]).toEqual([false, ["kept", "not kept"]]);
});

test("a reload in the middle, and a second tab with the same database: every message once, by its nonce", async () => {
  const { chat, makeOutbox, post, store } = at;
  const first = makeOutbox();
  post.isHeld = true;
  for (const content of ["one", "two"]) await say(first, content);
  await until(() => post.got.length === 1);
  const [later, other] = [makeOutbox(), makeOutbox()];
  await Promise.all([later.open(), other.open()]);
  expect(later.unsent.map(({ content }) => content)).toEqual(["one", "two"]);
  post.release();
  await Promise.all([first, later, other].map(isEmpty));
  expect(store.kept.size).toBe(0);
  const nonces = new Map(post.got.map(({ content, nonce }) => [content, nonce]));
  expect(post.got.every(({ content, nonce }) => nonces.get(content) === nonce)).toBe(true);
  expect(chat.texts.filter((each) => each === "one" || each === "two")).toEqual(["one", "two"]);
});

test("after a day only its writer can say whether a message is sent again: the server may have it, and forgot its nonce", async () => {
  const { makeOutbox, post } = at;
  const outbox = makeOutbox();
  for (const hours of [23, 24]) {
    post.next = [{ status: 503 }];
    await say(outbox, `after ${hours} hours`);
    await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
    at.now += hours * 3600_000;
    outbox.sendNow();
    if (hours < 24) await isEmpty(outbox);
  }
  expect(outbox.unsent).toMatchObject([{ state: "failed", isOld: true }]);
  expect(post.contents).toEqual(["after 23 hours", "after 23 hours", "after 24 hours"]);
  outbox.retry(outbox.unsent[0]?.nonce ?? "");
  await isEmpty(outbox);
  expect(post.contents.at(-1)).toBe("after 24 hours");
});

test("what another tab sent or discarded is not sent here, also where that is heard before the kept ones are read", async () => {
  const { makeOutbox, post, store } = at;
  const common = { authorId: idOf("bob"), channelId: idOf("general"), replyTo: null, attachments: [] };
  for (const nonce of ["one", "two"])
    store.kept.set(nonce, { ...common, nonce, content: nonce, writtenAt: 1, state: "waiting" });
  const outbox = makeOutbox();
  const opening = outbox.open();
  store.dropElsewhere("one");
  await opening;
  await isEmpty(outbox);
  outbox.hold();
  await say(outbox, "three");
  store.dropElsewhere(outbox.unsent[0]?.nonce ?? "");
  outbox.release();
  await say(outbox, "four");
  await isEmpty(outbox);
  expect(post.contents).toEqual(["two", "four"]);
});

test("what another page leaves when it is closed goes out from this one, once, and not what was dropped meanwhile", async () => {
  const { makeOutbox, post, store } = at;
  const common = { authorId: idOf("bob"), channelId: idOf("general"), replyTo: null, attachments: [] };
  const outbox = makeOutbox();
  await outbox.open();
  for (const nonce of ["one", "two"])
    store.kept.set(nonce, { ...common, nonce, content: nonce, writtenAt: 1, state: "waiting" });
  const again = outbox.open();
  store.dropElsewhere("one");
  await again;
  store.kept.delete("one");
  await outbox.open();
  await isEmpty(outbox);
  expect(post.contents).toEqual(["two"]);
});

test("what a page of messages shows to be there is not sent again; another's message of the same nonce says nothing", async () => {
  const { chat, makeOutbox, post, store } = at;
  const outbox = makeOutbox();
  post.next = [{ status: 503 }];
  await say(outbox, "one");
  await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
  const { nonce = "", channelId = "" } = outbox.unsent[0] ?? {};
  const there = { ...posted(channelId, { content: "one", nonce }), id: idOf("found again") };
  const show = (author: typeof there.author) =>
    chat.change((copy) =>
      withWindow(copy, channelId, { far: { messages: [{ ...there, author }], hasOlder: false } }),
    );
  show({ ...there.author, id: idOf("carol") });
  expect(outbox.unsent).toHaveLength(1);
  show(there.author);
  expect([outbox.unsent, post.got.length]).toEqual([[], 1]);
  await until(() => store.kept.size === 0);
});

test("what another person left at this browser is not shown and not sent, and is there for them later", async () => {
  const { chat, makeOutbox, post, store } = at;
  post.next = [{ status: 503 }];
  const outbox = makeOutbox();
  await say(outbox, "of Bob");
  await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
  const { copy } = chat.state;
  if (!copy) throw new Error("there is a copy");
  chat.become({ copy: { ...copy, user: { ...copy.user, id: idOf("carol") } } });
  const hers = makeOutbox();
  await hers.open();
  expect(hers.unsent).toEqual([]);
  await say(hers, "of Carol", "lounge");
  await isEmpty(hers);
  expect(post.contents).toEqual(["of Bob", "of Carol"]);
  expect([...store.kept.values()].map(({ content }) => content)).toEqual(["of Bob"]);
  chat.become({ copy });
  await isEmpty(hers);
  expect(post.contents.at(-1)).toBe("of Bob");
});
