// Several tabs of one browser: each keeps its own text, shows changes by the others, and loses nothing without asking.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { boxOf, holds, kept, keptNoMore, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, signIn } from "./scene.ts";

inChromium("tabs", (scene) => {
  async function home() {
    const { alice, bob, server } = await scene.twoPeople();
    const watched = await scene.watched();
    watched.allow(/status of 401|net::ERR_FAILED/);
    return { alice, bob, server, watched, path: `/servers/${server.id}/channels/${server.general.id}` };
  }

  const letter = "A letter that took an hour";

  /** Two tabs of Alice in the same channel, with a draft in the first of them. */
  async function withLetter() {
    const { alice, watched, path } = await home();
    const [a, b] = [await watched.page(path, alice), await watched.page(path)];
    for (const tab of [a, b]) await boxOf(tab).waitFor();
    await boxOf(a).fill(letter);
    await kept(a, `text === "${letter}"`);
    const reopened = async () => {
      await a.close();
      const again = await watched.page(path);
      await boxOf(again).waitFor();
      return again;
    };
    return { watched, a, b, reopened };
  }

  test(
    "a letter in one tab; a word is sent in another: the letter stands there after a reload",
    async () => {
      const { watched, a, b } = await withLetter();
      await write(b, "word");
      await a.locator("[data-message-id]").filter({ hasText: "word" }).waitFor();
      await keptNoMore(b, 'text === "word"');
      await a.reload();
      await holds(a, letter);
      await watched.close();
    },
    journey,
  );

  test(
    "a letter in one tab; a sign is typed and erased in another: the letter stands in a tab that is opened anew",
    async () => {
      const { watched, b, reopened } = await withLetter();
      await boxOf(b).pressSequentially("x");
      await kept(b, 'text === "x"');
      await boxOf(b).press("Backspace");
      await keptNoMore(b, 'text === "x"');
      await holds(await reopened(), letter);
      await watched.close();
    },
    journey,
  );

  test(
    "a letter in one tab, other words in another: a reload has the letter, a new tab the words, and the letter once they are sent",
    async () => {
      const { watched, a, b, reopened } = await withLetter();
      await boxOf(b).fill("Other words");
      await kept(b, 'text === "Other words"');
      await a.reload();
      await holds(a, letter);
      const again = await reopened();
      await holds(again, "Other words");
      await boxOf(again).press("Enter");
      await again.locator("[data-message-id]").filter({ hasText: "Other words" }).waitFor();
      await keptNoMore(again, 'text === "Other words"');
      // The draft is shown when the channel is opened again.
      await again.getByRole("button", { name: "Settings", exact: true }).click();
      await again.getByRole("button", { name: /^Close settings/ }).click();
      await holds(again, letter);
      await watched.close();
    },
    journey,
  );

  test(
    "a tab that is opened later shows the letter; what is written over it there takes nothing from the first",
    async () => {
      const { watched, a } = await withLetter();
      const later = await watched.page(new URL(a.url()).pathname);
      await holds(later, letter);
      await write(later, "Something else");
      await later.locator("[data-message-id]").filter({ hasText: "Something else" }).waitFor();
      await a.reload();
      await holds(a, letter);
      await watched.close();
    },
    journey,
  );

  test(
    "a tab that shows the letter of another shows what becomes of it: words, a file, the message it answers, and that it was sent",
    async () => {
      const { alice, watched, server, path } = await home();
      const question = await alice.say(server.general.id, "Is there soup?");
      const [a, b] = [await watched.page(path, alice), await watched.page(path)];
      await boxOf(a).fill("Dear");
      await kept(a, 'text === "Dear"');
      await b.reload();
      await holds(b, "Dear");

      const buffer = Buffer.from("words");
      await a.locator("input[type=file]").setInputFiles({ name: "list.txt", mimeType: "text/plain", buffer });
      await boxOf(a).fill("Dear Bob");
      await a.locator(`[data-message-id="${question.id}"]`).focus();
      await a.keyboard.press("r");
      const parts = (tab: Page) => [
        tab.getByRole("button", { name: "Remove list.txt" }),
        tab.getByText("Replying to alice Is there soup?"),
      ];
      for (const tab of [a, b]) for (const part of parts(tab)) await part.waitFor();
      await holds(b, "Dear Bob");

      await boxOf(a).press("Enter");
      await b.locator("[data-message-id]").filter({ hasText: "Dear Bob" }).waitFor();
      await holds(b, "");
      for (const part of parts(b)) await part.waitFor({ state: "detached" });
      await boxOf(b).press("Enter");
      await keptNoMore(b, "text || files.length || replyTo");
      const { body: said } = await alice.get<{ content: string }[]>(
        `/channels/${server.general.id}/messages`,
      );
      expect(said.map(({ content }) => content)).toEqual(["Dear Bob", "Is there soup?"]);
      await watched.close();
    },
    journey,
  );

  for (const isSent of [false, true])
    test(
      `an old copy of a letter, in a tab that heard nothing for a while, is ${isSent ? "sent" : "written on"}: the letter is there`,
      async () => {
        const { alice, watched, path } = await home();
        const a = await watched.page(path, alice);
        await boxOf(a).fill("Dear");
        await kept(a, 'text === "Dear"');
        await watched.context.addInitScript(
          "Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set() {} });",
        );
        const b = await watched.page(path);
        await holds(b, "Dear");
        await boxOf(a).fill(letter);
        await kept(a, `text === "${letter}"`);
        await a.close();
        await boxOf(b).press(isSent ? "Enter" : "End");
        if (isSent) await b.locator("[data-message-id]").filter({ hasText: "Dear" }).waitFor();
        else await boxOf(b).pressSequentially("!");
        await (isSent ? keptNoMore : kept)(b, `text === "Dear${isSent ? "" : "!"}"`);
        await kept(b, `text === "${letter}"`);
        await b.close();
        const again = await watched.page(path);
        await holds(again, isSent ? letter : "Dear!");
        await watched.close();
      },
      journey,
    );

  test(
    "keys that are chosen in one tab stay chosen when another tab chooses others",
    async () => {
      const { alice, watched } = await home();
      const path = "/settings/keys";
      const [a, b] = [await watched.page(path, alice), await watched.page(path)];
      const change = async (tab: Page, place: number, keys: string) => {
        await tab.locator("li > button[aria-pressed]").nth(place).click();
        await tab.keyboard.press(keys);
      };
      const chosen = () =>
        a.evaluate<string[]>("Object.values(JSON.parse(localStorage.getItem('hearth.keys') ?? '{}'))");
      for (const tab of [a, b]) await tab.locator("li > button[aria-pressed]").first().waitFor();
      await change(a, 0, "Control+Alt+j");
      await eventually(chosen).toHaveLength(1);
      // The other tab is notified, and shows it.
      await b.locator("kbd", { hasText: /^j$/i }).waitFor();
      await change(b, 1, "Control+Alt+u");
      await eventually(chosen).toHaveLength(2);
      await watched.close();
    },
    journey,
  );

  test(
    "a cookie of another Hearth at the same name lets nobody in, keeps nobody out, and leads back to what was wanted",
    async () => {
      const { alice, watched, path } = await home();
      const { hostname } = new URL(scene.url);
      const foreign = { name: "app_session", value: "of-another-hearth", domain: hostname, path: "/" };
      await watched.context.addCookies([{ ...foreign, httpOnly: true, sameSite: "Lax" }]);
      const page = await watched.page(path);
      await signIn(page, alice);
      await boxOf(page).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      await watched.close();
    },
    journey,
  );

  test(
    "a clock that is hours wrong, and a reader who travels: messages go out once, in order, at the time of the place",
    async () => {
      const { alice, bob, server, watched, path } = await home();
      await watched.context.addInitScript("{ const now = Date.now; Date.now = () => now() - 5 * 3600_000; }");
      const page = await watched.page(path, alice);
      const session = await watched.context.newCDPSession(page);
      await session.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Kathmandu" });
      await boxOf(page).waitFor();
      for (const text of ["one", "two"]) {
        await boxOf(page).fill(text);
        await boxOf(page).press("Enter");
      }
      await page.locator("[data-message-id]").filter({ hasText: "two" }).waitFor();
      await bob.say(server.general.id, "three");
      const third = page.locator("[data-message-id]").filter({ hasText: "three" });
      await third.waitFor();
      await eventually(() => page.locator("[data-state=pending]").count()).toBe(0);
      const at = (await third.locator("time").getAttribute("datetime")) ?? "";
      const options = { hour: "2-digit", minute: "2-digit" } as const;
      const inZone = (timeZone: string) =>
        new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(new Date(at));
      await eventually(() => third.locator("time").textContent()).toBe(inZone("Asia/Kathmandu"));
      await session.send("Emulation.setTimezoneOverride", { timezoneId: "America/St_Johns" });
      const fourth = page.locator("[data-message-id]").filter({ hasText: "four" });
      await bob.say(server.general.id, "four");
      await fourth.waitFor();
      await eventually(() => fourth.getAttribute("aria-label")).toContain(
        inZone("America/St_Johns").slice(0, 2),
      );
      await watched.close();
    },
    journey,
  );
});
