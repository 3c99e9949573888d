// Drafts in one tab: stored after a pause, read by the next page, removed when they are sent, and limited in number.
import { describe, expect, test } from "bun:test";
import { memory, settled } from "../tests/client/drafts-memory.ts";
import { Drafts, draftsMost, isEmpty } from "./drafts.ts";

test("a draft is written after a pause, and the next page has all of it", async () => {
  const { kept, page, pause, texts } = memory();
  const first = page();
  first.change("a", { text: "Hel" });
  first.change("a", { text: "Hello", replyTo: "m" });
  expect(kept.size).toBe(0);
  pause();
  expect(texts()).toEqual(["Hello"]);
  const next = page();
  expect(next.isOpen).toBe(false);
  await next.open();
  expect(next.get("a")).toMatchObject({ text: "Hello", replyTo: "m", files: [] });
});

test("what is written before the kept ones are there is not overwritten by them", async () => {
  const { page, pause } = memory();
  page().change("a", { text: "old" });
  pause();
  const next = page();
  next.change("a", { text: "new" });
  await next.open();
  expect(next.get("a")?.text).toBe("new");
});

test("a draft that is sent or emptied is gone from the store, too", async () => {
  const { kept, page, pause } = memory();
  const drafts = page();
  drafts.change("a", { text: "one" });
  drafts.change("b", { text: "two" });
  pause();
  expect([...kept.values()].map(({ channelId }) => channelId)).toEqual(["a", "b"]);
  drafts.drop("a");
  drafts.change("b", { text: "" });
  drafts.write();
  await settled();
  expect([...kept.keys()]).toEqual([]);
});

test("what was sent leaves the box at once, and the store when the outbox keeps it", async () => {
  const { page, pause, opened, texts } = memory();
  const drafts = page();
  drafts.change("a", { text: "one" });
  pause();
  const keeping = Promise.withResolvers<void>();
  drafts.drop("a", keeping.promise);
  expect(drafts.get("a")).toBeUndefined();
  await settled();
  expect(texts()).toEqual(["one"]);
  expect((await opened()).get("a")?.text).toBe("one");
  // Later changes stay.
  drafts.change("a", { text: "two" });
  drafts.write();
  keeping.resolve();
  await settled();
  expect(texts()).toEqual(["two"]);
});

describe("there are not more than so many", () => {
  /** Writes in `count` channels, one after the other. */
  const fill = (drafts: Drafts, count: number) => {
    for (let i = 0; i < count; i++) {
      drafts.takeUp(`c${i}`);
      drafts.change(`c${i}`, { text: "x" });
    }
    drafts.write();
  };

  test("the oldest one goes when one more room is opened", async () => {
    const { kept, opened, texts } = memory();
    const drafts = await opened();
    fill(drafts, draftsMost + 1);
    drafts.takeUp("another");
    await settled();
    expect([kept.size, texts("c0"), texts("c1")]).toEqual([draftsMost, [], ["x"]]);
    expect(drafts.get("c0")).toBeUndefined();
  });

  test("what an open tab wrote, or shows, is none of those that go", async () => {
    const { kept, opened, texts } = memory();
    const before = await opened();
    for (const channelId of ["seen", "old"]) before.change(channelId, { text: channelId });
    before.close();
    const [writer, reader] = [await opened(), await opened()];
    writer.change("own", { text: "own" });
    writer.write();
    reader.takeUp("seen");
    const drafts = await opened();
    fill(drafts, draftsMost);
    drafts.takeUp("another");
    await settled();
    expect([texts("own"), texts("seen"), texts("old")]).toEqual([["own"], ["seen"], []]);
    expect([writer.get("own")?.text, reader.get("seen")?.text]).toEqual(["own", "seen"]);
    expect(kept.size).toBe(draftsMost + 2);
  });

  test("what was just written stays where a clock that was wrong made all others newer", async () => {
    const { kept, opened, texts } = memory();
    for (let i = 0; i < draftsMost; i++) {
      const draft = { id: `d${i}`, channelId: `c${i}`, text: "x", replyTo: null, files: [] };
      kept.set(draft.id, { ...draft, changedAt: 1e15 + i });
    }
    const drafts = await opened();
    drafts.takeUp("mine");
    drafts.change("mine", { text: "mine" });
    drafts.takeUp("c1");
    await settled();
    (await opened()).takeUp("c1");
    await settled();
    expect([kept.size, texts("mine"), texts("c0")]).toEqual([draftsMost, ["mine"], []]);
  });
});

test("a store that fails loses nothing of the page", async () => {
  const no = () => Promise.reject(new Error("full"));
  const tab = { last: () => undefined, note: () => {}, tell: () => {}, onTold: () => {} };
  const drafts = new Drafts({ store: { all: no, replace: no }, tab, later: () => () => {} });
  await drafts.open();
  drafts.change("a", { text: "Hello" });
  drafts.write();
  expect(drafts.get("a")?.text).toBe("Hello");
  await settled();
  expect(drafts.isAtRisk).toBe(true);
  drafts.drop("a");
  await settled();
  expect(drafts.isAtRisk).toBe(false);
});

test("nothing is kept of a draft without text, answer and files", () => {
  const draft = { id: "d", channelId: "a", text: "", replyTo: null, files: [], changedAt: 1 };
  expect([isEmpty(draft), isEmpty({ ...draft, replyTo: "m" })]).toEqual([true, false]);
});
