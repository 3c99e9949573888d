// Drafts: written after a pause, taken up by the next page, gone when they are sent, and not without a bound. Tabs keep
// theirs beside each other, and nothing is replaced by a page that has not seen it.
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

type Told = Parameters<DraftTab["tell"]>[0];

/** A browser: what it keeps, and the pages that it has open. */
function memory() {
  const kept = new Map<string, Draft>();
  const store: DraftStore = {
    all: async () => [...kept.values()].sort(newestFirst),
    replace: async (before, draft) => {
      kept.delete(before.id);
      if (!isEmpty(draft)) kept.set(draft.id, draft);
    },
  };
  const listening = new Map<object, (told: Told) => void>();
  let due: (() => void) | undefined;
  let clock = 0;
  /** A tab keeps its session over a reload; one that is opened anew has another. */
  const page = (session = new Map<string, string>()) => {
    const here = {};
    const tab: DraftTab = {
      last: (channelId) => session.get(channelId),
      note: (channelId, id) => void session.set(channelId, id),
      tell: (told) => {
        for (const [each, heard] of listening) if (each !== here) heard(told);
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
    /** The browser lets it rest: it hears nothing more. */
    const freeze = () => void listening.delete(here);
    /** The page goes. */
    const close = () => {
      drafts.write();
      freeze();
    };
    return Object.assign(drafts, { close, freeze });
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

describe("there are not more than so many", () => {
  /** Writes in so many rooms, one after the other. */
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
    expect([a.get("a"), texts()]).toEqual([undefined, []]);
    expect((await reloaded("a")).get("a")).toBeUndefined();
  });

  test("the letter was written on meanwhile: what is sent of it elsewhere takes nothing away", async () => {
    for (const isWritten of [true, false]) {
      const { a, letter, opened, reloaded } = await two();
      letter();
      const later = await opened();
      if (isWritten) later.freeze();
      a.change("a", { text: "A letter, longer" });
      if (isWritten) a.write();
      expect(later.get("a")?.text).toBe("A letter");
      later.drop("a");
      await settled();
      expect((await reloaded("a")).get("a")?.text).toBe("A letter, longer");
    }
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

  test("a tab that shows the letter of another shows what becomes of it there, until something is written here", async () => {
    const { a, letter, opened, texts } = await two();
    letter();
    const later = await opened();
    a.change("a", { text: "A letter, longer" });
    a.write();
    expect(later.get("a")?.text).toBe("A letter, longer");
    later.change("a", { text: "A letter, longer still" });
    a.change("a", { text: "A letter, done" });
    a.write();
    later.write();
    expect([later.get("a")?.text, texts()]).toEqual([
      "A letter, longer still",
      ["A letter, longer still", "A letter, done"],
    ]);
  });

  test("the letter is sent, or erased, where it was written: no other tab shows it as unsent", async () => {
    for (const isErased of [true, false]) {
      const { a, letter, opened, texts } = await two();
      letter();
      const later = await opened();
      if (isErased) a.change("a", { text: "" });
      else a.drop("a");
      a.write();
      await settled();
      expect([later.get("a"), texts()]).toEqual([undefined, []]);
    }
  });

  test("the letter was written on meanwhile and its tab closed: an old copy takes nothing of it away", async () => {
    for (const act of ["writes", "sends", "writes and sends at once"]) {
      const { a, letter, opened, texts } = await two();
      letter();
      const later = await opened();
      later.freeze();
      a.change("a", { text: "A letter that took an hour" });
      a.close();
      expect(later.get("a")?.text).toBe("A letter");
      if (act !== "sends") later.change("a", { text: "A letter!" });
      if (act !== "writes") later.drop("a");
      later.write();
      await settled();
      const left =
        act === "writes" ? ["A letter that took an hour", "A letter!"] : ["A letter that took an hour"];
      expect(texts()).toEqual(left);
    }
  });

  test("two tabs show the letter of one that was closed: each goes on with it, and both are kept", async () => {
    const { a, letter, opened, texts } = await two();
    letter();
    a.close();
    const [one, other] = [await opened(), await opened()];
    other.freeze();
    one.change("a", { text: "A letter of one" });
    one.close();
    other.change("a", { text: "A letter of the other" });
    other.write();
    expect(texts()).toEqual(["A letter of one", "A letter of the other"]);
  });

  test("a tab that was loaded anew keeps its letter when another goes on with it, or sends a word over it", async () => {
    for (const isSent of [true, false])
      for (const pauses of [true, false]) {
        const { letter, opened, reloaded, texts } = await two();
        letter();
        const later = await opened();
        const again = await reloaded("a");
        later.change("a", { text: "word" });
        if (pauses || !isSent) later.write();
        if (isSent) later.drop("a");
        await settled();
        again.close();
        expect(texts()).toEqual(isSent ? ["A letter"] : ["A letter", "word"]);
        expect((await reloaded("a")).get("a")?.text).toBe("A letter");
      }
  });

  test("what others tell while the kept ones are on their way is newer than those", async () => {
    for (const isSent of [true, false]) {
      const { a, letter, page, store, texts } = await two();
      letter();
      const [all, reading] = [await store.all(), Promise.withResolvers<void>()];
      const usual = store.all;
      store.all = () => reading.promise.then(() => all);
      const later = page();
      const opening = later.open();
      if (isSent) a.drop("a");
      else a.change("a", { text: "A letter, longer" });
      a.write();
      await settled();
      reading.resolve();
      await opening;
      store.all = usual;
      expect(later.get("a")?.text).toBe(isSent ? undefined : "A letter, longer");
      later.drop("a");
      await settled();
      expect(texts()).toEqual([]);
    }
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
