// Drafts of several tabs in one channel: each tab keeps its own, and a page replaces no version that it has not read.
import { describe, expect, test } from "bun:test";
import { memory, settled } from "../tests/client/drafts-memory.ts";

describe("two tabs of one person, in the same channel", () => {
  async function two() {
    const browser = memory();
    const sessions = { a: new Map<string, string>(), b: new Map<string, string>() };
    const [a, b] = [await browser.opened(sessions.a), await browser.opened(sessions.b)];
    const letter = () => {
      a.change("a", { text: "A letter" });
      a.write();
    };
    /** Reloads the tab, or reopens it as the browser does. */
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
    // Once that draft is sent, the other one comes back: when the channel is opened again, and in a new page.
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
