// Drafts: written after a pause, taken up by the next page, gone when they are sent, and not without a bound. Tabs keep
// theirs beside each other.
import { describe, expect, test } from "bun:test";
import {
  type Draft,
  type DraftStore,
  Drafts,
  type DraftTab,
  draftsMost,
  isEmpty,
  newestFirst,
} from "./drafts.ts";

type Taken = Parameters<DraftTab["tell"]>[0];

/** A browser: what it keeps, and the pages that it has open. */
function memory() {
  const kept = new Map<string, Draft>();
  const store: DraftStore = {
    all: async () => [...kept.values()].sort(newestFirst),
    keep: async (draft) => void kept.set(draft.id, draft),
    drop: async ({ id }) => void kept.delete(id),
  };
  const listening = new Map<object, (taken: Taken) => void>();
  let due: (() => void) | undefined;
  let clock = 0;
  /** A tab keeps its session over a reload; one that is opened anew has another. */
  const page = (session = new Map<string, string>()) => {
    const here = {};
    const tab: DraftTab = {
      last: (channelId) => session.get(channelId),
      note: (channelId, id) => (id === undefined ? session.delete(channelId) : session.set(channelId, id)),
      tell: (taken) => {
        for (const [each, heard] of listening) if (each !== here) heard(taken);
      },
      onTold: (heard) => listening.set(here, heard),
    };
    const drafts = new Drafts({
      store,
      tab,
      now: () => ++clock,
      later: (_, run) => {
        due = run;
        return () => {
          due = undefined;
        };
      },
    });
    /** The page goes: it writes, and hears nothing more. */
    const close = () => {
      drafts.write();
      listening.delete(here);
    };
    return Object.assign(drafts, { close });
  };
  const opened = async (session?: Map<string, string>) => {
    const drafts = page(session);
    await drafts.open();
    return drafts;
  };
  /** What is kept of a channel, the newest last. */
  const texts = (channelId = "a") =>
    [...kept.values()]
      .filter((each) => each.channelId === channelId)
      .sort((one, other) => one.changedAt - other.changedAt)
      .map(({ text }) => text);
  return { kept, store, page, opened, texts, pause: () => due?.() };
}

/** Until what was asked of the store has been done. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

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
  // What is written next stays.
  drafts.change("a", { text: "two" });
  drafts.write();
  keeping.resolve();
  await settled();
  expect(texts()).toEqual(["two"]);
});

test("there are not more than so many; the oldest one goes", async () => {
  const { kept, page, pause, texts } = memory();
  const drafts = page();
  for (let i = 0; i <= draftsMost; i++) drafts.change(`c${i}`, { text: "x" });
  pause();
  expect(kept.size).toBe(draftsMost);
  expect(texts("c0")).toEqual([]);
});

test("a store that fails loses nothing of the page", async () => {
  const no = () => Promise.reject(new Error("full"));
  const tab = { last: () => undefined, note: () => {}, tell: () => {}, onTold: () => {} };
  const drafts = new Drafts({ store: { all: no, keep: no, drop: no }, tab, later: () => () => {} });
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

describe("two tabs of one person, in the same channel", () => {
  async function two() {
    const browser = memory();
    const sessions = { a: new Map<string, string>(), b: new Map<string, string>() };
    const [a, b] = [await browser.opened(sessions.a), await browser.opened(sessions.b)];
    const letter = () => {
      a.change("a", { text: "A letter" });
      a.write();
    };
    /** The tab is loaded anew, or opened again by the browser. */
    const reloaded = async (tab: "a" | "b") => {
      ({ a, b })[tab].close();
      return browser.opened(sessions[tab]);
    };
    return { ...browser, a, b, letter, reloaded };
  }

  test("a letter in one; in the other a word is sent: the letter is there after a reload", async () => {
    const { a, b, letter, reloaded, texts } = await two();
    letter();
    b.change("a", { text: "word" });
    b.write();
    b.drop("a");
    await settled();
    expect([a.get("a")?.text, texts()]).toEqual(["A letter", ["A letter"]]);
    expect((await reloaded("a")).get("a")?.text).toBe("A letter");
  });

  test("a letter in one; in the other a sign is typed and erased: the letter is there when it is opened again", async () => {
    for (const pauses of [true, false]) {
      const { a, b, letter, opened } = await two();
      letter();
      b.change("a", { text: "x" });
      if (pauses) b.write();
      b.change("a", { text: "" });
      b.write();
      a.close();
      await settled();
      expect((await opened()).get("a")?.text).toBe("A letter");
    }
  });

  test("a letter in one, other words in the other: each tab has its own after a reload, a new one the newer", async () => {
    const { b, letter, opened, reloaded } = await two();
    letter();
    b.change("a", { text: "Other words" });
    b.write();
    expect((await reloaded("a")).get("a")?.text).toBe("A letter");
    expect((await reloaded("b")).get("a")?.text).toBe("Other words");
    const fresh = await opened();
    expect(fresh.get("a")?.text).toBe("Other words");
    // Once that is sent, the other one comes back: where the channel is opened anew, and to a new page.
    fresh.drop("a");
    await settled();
    expect(fresh.get("a")).toBeUndefined();
    fresh.takeUp("a");
    expect(fresh.get("a")?.text).toBe("A letter");
    expect((await opened()).get("a")?.text).toBe("A letter");
  });

  test("a tab that was opened later goes on with the letter of one that is still open: both stay", async () => {
    const { a, letter, opened, texts } = await two();
    letter();
    const later = await opened();
    expect(later.get("a")?.text).toBe("A letter");
    later.change("a", { text: "Another letter" });
    later.write();
    expect(texts()).toEqual(["A letter", "Another letter"]);
    a.change("a", { text: "A letter, longer" });
    a.write();
    expect(texts()).toEqual(["Another letter", "A letter, longer"]);
    later.drop("a");
    await settled();
    expect(texts()).toEqual(["A letter, longer"]);
  });

  test("a tab that was opened later sends the letter as it is: it is sent, and comes back nowhere", async () => {
    const { a, letter, opened, reloaded, texts } = await two();
    letter();
    const later = await opened();
    later.drop("a");
    await settled();
    expect([a.get("a")?.text, texts()]).toEqual(["A letter", []]);
    expect((await reloaded("a")).get("a")).toBeUndefined();
  });

  test("the letter was written on meanwhile: what is sent of it elsewhere takes nothing away", async () => {
    const { a, letter, opened, reloaded } = await two();
    letter();
    const later = await opened();
    a.change("a", { text: "A letter, longer" });
    a.write();
    later.drop("a");
    await settled();
    expect((await reloaded("a")).get("a")?.text).toBe("A letter, longer");
  });

  test("what another tab sent meanwhile is not taken up", async () => {
    const { a, b, letter, opened } = await two();
    letter();
    b.change("a", { text: "Other words" });
    b.write();
    const fresh = await opened();
    fresh.drop("a");
    a.drop("a");
    await settled();
    fresh.takeUp("a");
    expect(fresh.get("a")).toBeUndefined();
  });

  test("a tab that the browser copied writes a draft of its own as soon as something is written there", async () => {
    const browser = memory();
    const session = new Map<string, string>();
    const first = await browser.opened(session);
    first.change("a", { text: "A letter" });
    first.write();
    const copy = await browser.opened(new Map(session));
    copy.change("a", { text: "A letter in the copy" });
    copy.write();
    expect(browser.texts()).toEqual(["A letter", "A letter in the copy"]);
  });
});

test("nothing is kept of a draft without text, answer and files", () => {
  const draft = { id: "d", channelId: "a", text: "", replyTo: null, files: [], changedAt: 1 };
  expect([isEmpty(draft), isEmpty({ ...draft, replyTo: "m" })]).toEqual([true, false]);
});
