// Drafts: written after a pause, taken up by the next page, gone when they are sent, and not without a bound.
import { expect, test } from "bun:test";
import { type Draft, type DraftStore, Drafts, draftsMost } from "./drafts.ts";

function memory() {
  const kept = new Map<string, Draft>();
  const store: DraftStore = {
    all: async () => [...kept.values()],
    keep: async (draft) => void kept.set(draft.channelId, draft),
    drop: async (channelId) => void kept.delete(channelId),
  };
  let due: (() => void) | undefined;
  let clock = 0;
  const page = () =>
    new Drafts({
      store,
      now: () => ++clock,
      later: (_, run) => {
        due = run;
        return () => {
          due = undefined;
        };
      },
    });
  return { kept, store, page, pause: () => due?.() };
}

test("a draft is written after a pause, and the next page has all of it", async () => {
  const { kept, page, pause } = memory();
  const first = page();
  first.change("a", { text: "Hel" });
  first.change("a", { text: "Hello", replyTo: "m" });
  expect(kept.size).toBe(0);
  pause();
  expect(kept.get("a")?.text).toBe("Hello");
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

test("a draft that is sent or emptied is gone from the store, too", () => {
  const { kept, page, pause } = memory();
  const drafts = page();
  drafts.change("a", { text: "one" });
  drafts.change("b", { text: "two" });
  pause();
  expect([...kept.keys()]).toEqual(["a", "b"]);
  drafts.drop("a");
  drafts.change("b", { text: "" });
  drafts.write();
  expect([...kept.keys()]).toEqual([]);
});

test("there are not more than so many; the oldest one goes", () => {
  const { kept, page, pause } = memory();
  const drafts = page();
  for (let i = 0; i <= draftsMost; i++) drafts.change(`c${i}`, { text: "x" });
  pause();
  expect(kept.size).toBe(draftsMost);
  expect(kept.has("c0")).toBe(false);
});

test("a store that fails loses nothing of the page", async () => {
  const no = () => Promise.reject(new Error("full"));
  const drafts = new Drafts({ store: { all: no, keep: no, drop: no }, later: () => () => {} });
  await drafts.open();
  drafts.change("a", { text: "Hello" });
  drafts.write();
  expect(drafts.get("a")?.text).toBe("Hello");
});
