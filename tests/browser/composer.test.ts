// Writing, in a browser: keys, suggestions, drafts, files, emoji, GIFs, who is typing, and what one may not do.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { permission } from "../../protocol/permissions.ts";
import { GifProviderDouble } from "../doubles/gif-provider.ts";
import { PictureHost } from "../doubles/picture-host.ts";
import { TestBot } from "../house/bots.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { png } from "../house/files.ts";
import { temporaryFolder } from "../house/folder.ts";
import type { TestPerson } from "../house/people.ts";
import { until } from "../house/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { Watched } from "./watched.ts";

const patienceMs = 150_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";

/** Reads what the field holds, and whether it has the focus. */
const standing = (page: Page) =>
  page.evaluate<{ text: string; hasFocus: boolean }>(
    "(() => { const box = document.querySelector('textarea'); return { text: box.value, hasFocus: box === document.activeElement }; })()",
  );

/** Pastes as a browser does. Returns whether the page put something in by itself. */
const paste = (page: Page, data: Record<string, string>) =>
  page.evaluate<boolean>(
    `(() => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      return !document.querySelector("textarea").dispatchEvent(event);
    })()`,
  );

/** Waits for something of the page, whose policy lets no test wait within it. */
const untilSo = (page: Page, condition: string) =>
  until(() => page.evaluate<boolean>(condition), `never so: ${condition}`);

const holds = (page: Page, text: string) =>
  untilSo(page, `document.querySelector("textarea")?.value === ${JSON.stringify(text)}`);
const writes = (page: Page) => untilSo(page, "document.activeElement?.tagName === 'TEXTAREA'");

/** Until some draft in the browser's database is so. */
const kept = (page: Page, condition: string) =>
  untilSo(
    page,
    `new Promise((resolve) => {
      const opening = indexedDB.open("hearth-drafts");
      opening.onsuccess = () => {
        const asking = opening.result.transaction("drafts").objectStore("drafts").getAll();
        asking.onsuccess = () => {
          opening.result.close();
          resolve(asking.result.some(({ text, files, replyTo }) => ${condition}));
        };
      };
    })`,
  );

const composer = "main > [class*=foot]";

describe.skipIf(!chromiumPath)(`the composer in Chromium${here}`, () => {
  let house: TestHouse;
  let browser: Browser;
  let pictures: PictureHost;
  let alice: TestPerson;
  let bob: TestPerson;
  let server: Awaited<ReturnType<TestPerson["makeServer"]>>;
  const gifs = new GifProviderDouble();

  beforeAll(async () => {
    house = await makeHouse("SQLite", { AVATAR_URL: "off", ...gifs.settings });
    await house.open();
    pictures = await PictureHost.open();
    pictures.serve(house);
    [alice, bob] = [await house.person("alice"), await house.person("bob")];
    server = await alice.makeServer("The kitchen");
    await alice.bringIn(server.id, bob);
    await alice.post("/channels", { server_id: server.id, name: "recipes" });
    browser = await launchChromium();
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    pictures?.close();
    gifs.stop();
    await house?.end();
  }, patienceMs);

  const path = () => `/servers/${server.id}/channels/${server.general.id}`;
  const boxOf = (page: Page) => page.getByRole("textbox", { name: "Message #general" });
  const said = async () =>
    (
      await bob.get<{ content: string; reply_to: string | null }[]>(
        `/channels/${server.general.id}/messages?limit=5`,
      )
    ).body;

  test(
    "keys: Enter sends, lists go on, undo goes back, links and code are pasted as what they are, a draft survives",
    async () => {
      const hers = await Watched.open(browser, house.url);
      const page = await hers.page(path(), alice);
      const box = boxOf(page);
      await box.waitFor();
      // Opening a channel puts the focus here.
      await writes(page);
      await expect(page.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).resolves.toBe(
        "true",
      );

      await page.keyboard.type("To buy:");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("- salt");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("oil");
      expect((await standing(page)).text).toBe("To buy:\n- salt\n- oil");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.press("Shift+Enter");
      expect((await standing(page)).text).toBe("To buy:\n- salt\n- oil\n");
      await page.keyboard.press("Control+z");
      expect((await standing(page)).text).toBe("To buy:\n- salt\n- oil\n- ");
      await page.keyboard.press("Control+z");
      expect((await standing(page)).text).toBe("To buy:\n- salt\n- oil");

      // An input method is at work: Enter is its key.
      await box.dispatchEvent("keydown", { key: "Enter", isComposing: true });
      expect((await standing(page)).text).toContain("salt");

      await box.fill("see this");
      await page.evaluate("document.querySelector('textarea').setSelectionRange(4, 8)");
      expect(await paste(page, { "text/plain": "https://hearth.example/salt" })).toBe(true);
      expect((await standing(page)).text).toBe("see [this](https://hearth.example/salt)");
      await page.keyboard.press("Control+z");
      expect((await standing(page)).text).toBe("see this");
      await box.fill("");
      const code = { "text/plain": "a();\nb();", "vscode-editor-data": '{"mode":"javascript"}' };
      expect(await paste(page, code)).toBe(true);
      expect((await standing(page)).text).toBe("```javascript\na();\nb();\n```");
      expect(await paste(page, { "text/plain": "only words" })).toBe(false);

      await box.fill("Half a thought");
      await kept(page, 'text === "Half a thought"');
      await page.reload();
      await holds(page, "Half a thought");
      await page.getByRole("link", { name: /^recipes/ }).click();
      await page.getByRole("textbox", { name: "Message #recipes" }).waitFor();
      await page.getByRole("link", { name: /^general/ }).click();
      await box.waitFor();
      expect((await standing(page)).text).toBe("Half a thought");
      await page.keyboard.press("End");
      await page.keyboard.type(", and the rest");
      await page.keyboard.press("Enter");
      await page.getByRole("article").filter({ hasText: "Half a thought, and the rest" }).waitFor();
      expect(await standing(page)).toMatchObject({ text: "", hasFocus: true });
      expect((await said())[0]?.content).toBe("Half a thought, and the rest");
      await page.reload();
      await page.getByRole("article").filter({ hasText: "Half a thought, and the rest" }).waitFor();
      expect((await standing(page)).text).toBe("");

      // Enter breaks the line where the reader wants it so.
      await page.evaluate("localStorage.setItem('hearth.composer.send', '\"ctrl+enter\"')");
      await box.fill("1. one");
      await page.keyboard.press("Enter");
      expect((await standing(page)).text).toBe("1. one\n2. ");
      await page.keyboard.type("two");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("article").filter({ hasText: "two" }).waitFor();
      await page.evaluate("localStorage.removeItem('hearth.composer.send')");

      await box.fill("x".repeat(3799));
      expect(await page.getByText("of 4,000").count()).toBe(0);
      await page.keyboard.press("End");
      await page.keyboard.type("y");
      await page.getByText("3,800 of 4,000").waitFor();
      await box.fill("x".repeat(4001));
      await page.getByText("4,001 of 4,000").waitFor();
      await box.press("Enter");
      await page.getByRole("button", { name: "Send" }).dispatchEvent("click");
      expect((await standing(page)).text).toHaveLength(4001);
      await box.fill("");
      await hers.close();
    },
    patienceMs,
  );

  test(
    "suggestions: people, roles, channels, emoji and commands, by keyboard, without losing what is typed",
    async () => {
      const bot = await TestBot.make(alice, "Timer");
      await bot.enter(server.id);
      await bot.post(`/bots/${bot.id}/commands`, {
        server_id: server.id,
        name: "remind",
        description: "Says it again later",
      });
      const hers = await Watched.open(browser, house.url);
      const page = await hers.page(path(), alice);
      const box = boxOf(page);
      const list = page.getByRole("listbox");
      const options = page.getByRole("option");
      await box.waitFor();
      await box.pressSequentially("ask @bo");
      await options.filter({ hasText: bob.username }).waitFor();
      const first = await options.first().getAttribute("id");
      expect(await box.getAttribute("aria-activedescendant")).toBe(first);
      expect(await box.getAttribute("aria-controls")).toBe(await list.getAttribute("id"));
      await expectNoBarriers(page, [360, 1280], composer);
      await box.press("Enter");
      expect(await standing(page)).toMatchObject({ text: `ask @${bob.username} `, hasFocus: true });
      await box.press("Control+z");
      expect((await standing(page)).text).toBe("ask @bo");

      // Escape closes the list and nothing else; the next word has one again.
      await box.fill("");
      await box.pressSequentially("@b");
      await list.waitFor();
      await box.press("Escape");
      await list.waitFor({ state: "hidden" });
      expect((await standing(page)).text).toBe("@b");
      await box.pressSequentially(" and #rec");
      await options.filter({ hasText: "recipes" }).waitFor();
      expect((await page.locator(composer).ariaSnapshot()).split("\n")).toEqual([
        '- button "Attach files"',
        `- 'textbox "Message #general"': "@b and #rec"`,
        '- listbox "Channels":',
        '  - option "recipes" [selected]',
        '- button "GIF"',
        '- button "Emoji"',
        '- button "Send"',
        "- status",
      ]);
      await box.press("Tab");
      expect((await standing(page)).text).toBe("@b and #recipes ");

      // A name that is written out is sent by Enter as it stands.
      await box.fill(`thanks @${bob.username}`);
      await list.waitFor();
      await box.press("Enter");
      await page.getByRole("article").filter({ hasText: "thanks" }).waitFor();

      await box.pressSequentially(":crossed_f");
      await options.first().waitFor();
      expect(await options.first().textContent()).toContain(":crossed_fingers:");
      await box.press("ArrowDown");
      await box.press("ArrowUp");
      await box.press("Enter");
      expect((await standing(page)).text).toBe("🤞 ");
      await box.pressSequentially(":rocket:");
      await holds(page, "🤞 🚀");
      await box.press("Control+z");
      expect((await standing(page)).text).toBe("🤞 :rocket:");

      await box.fill("");
      await box.pressSequentially("/re");
      await options.filter({ hasText: "Timer" }).waitFor();
      await box.press("Enter");
      expect((await standing(page)).text).toBe("/remind ");
      await box.fill("");

      // Bob may not call everyone, so he is not offered it.
      await box.pressSequentially("@every");
      await options.filter({ hasText: "@everyone" }).waitFor();
      await box.fill("");
      await hers.close();
      const his = await Watched.open(browser, house.url);
      const bobs = await his.page(path(), bob);
      await boxOf(bobs).pressSequentially("@ali");
      await bobs.getByRole("option").filter({ hasText: alice.username }).waitFor();
      await boxOf(bobs).fill("");
      await boxOf(bobs).pressSequentially("@every");
      await bobs.waitForLoadState("networkidle");
      expect(await bobs.getByRole("option").count()).toBe(0);
      await his.close();
    },
    patienceMs,
  );

  test(
    "files: picked, pasted and dropped, checked before they go, cancelled, tried again, kept over a reload, waited for",
    async () => {
      const hers = await Watched.open(browser, house.url);
      hers.allow(/ERR_FAILED/);
      const page = await hers.page(path(), alice);
      const box = boxOf(page);
      await box.waitFor();
      const input = page.locator("input[type=file]");
      const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
      const file = (name: string, content: string | Uint8Array = "words") => ({
        name,
        mimeType: name.endsWith("png") ? "image/png" : "",
        buffer: Buffer.from(content),
      });

      const folder = temporaryFolder();
      const paths = ["page.html", "film.mp4"].map((name) => `${folder.path}/${name}`);
      for (const each of paths) writeFileSync(each, "words");
      truncateSync(paths[1] ?? "", 26 * 1024 * 1024);
      await input.setInputFiles(paths);
      await card("page.html").getByText("not taken").waitFor();
      await card("film.mp4").getByText("Too big: 26 MB. The limit is 25 MB.").waitFor();
      await box.fill("Look at this");
      await box.press("Enter");
      expect((await standing(page)).text).toBe("Look at this");
      await page.getByRole("button", { name: "Take out page.html" }).click();
      await page.getByRole("button", { name: "Take out film.mp4" }).click();
      folder.remove();
      expect((await standing(page)).hasFocus).toBe(true);

      // The line is down: said at the file, which can be tried again.
      await page.route("**/upload", (route) => route.abort(), { times: 1 });
      await input.setInputFiles(file("notes.txt"));
      await card("notes.txt").getByText("Not sent: no connection.").waitFor();
      await page.getByRole("button", { name: "Send notes.txt again" }).click();
      await page.getByRole("button", { name: "Take out notes.txt" }).waitFor();
      await expectNoBarriers(page, [360, 1280], composer);

      // Dropped anywhere on the room, and pasted.
      const dropped = await page.evaluateHandle(
        `(() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(${JSON.stringify([...png])})], "cup.png", { type: "image/png" })); return data; })()`,
      );
      const room = page.getByRole("main", { name: "general" });
      await room.dispatchEvent("dragover", { dataTransfer: dropped });
      await page.getByText("Drop files to attach them").waitFor();
      await room.dispatchEvent("drop", { dataTransfer: dropped });
      await page.getByText("Drop files to attach them").waitFor({ state: "hidden" });
      await card("cup.png").locator("img[src^='blob:']").waitFor();
      await page.evaluate(
        `(() => { const clipboardData = new DataTransfer(); clipboardData.items.add(new File(["words"], "pasted.txt")); document.querySelector("textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); })()`,
      );
      for (const name of ["cup.png", "pasted.txt"])
        await page.getByRole("button", { name: `Take out ${name}` }).waitFor();

      await kept(page, 'files.length === 3 && text === "Look at this"');
      await page.reload();
      await card("cup.png").waitFor();
      await card("notes.txt").waitFor();
      expect((await standing(page)).text).toBe("Look at this");

      // One is under way: the message waits for it, can be held back, and then goes by itself.
      let letThrough = () => {};
      const held = new Promise<void>((resolve) => {
        letThrough = resolve;
      });
      await page.route("**/upload", async (route) => {
        await held;
        await route.continue();
      });
      await input.setInputFiles(file("late.txt"));
      await card("late.txt").getByRole("progressbar").waitFor();
      await box.press("Enter");
      await page.getByText("Sends when 4 files are there.").waitFor();
      await box.press("Escape");
      await page.getByRole("button", { name: "Send", exact: true }).waitFor();
      await box.press("Enter");
      await page.getByText("Sends when 4 files are there.").waitFor();
      expect((await said())[0]?.content).not.toBe("Look at this");
      letThrough();
      await page.getByRole("article").filter({ hasText: "Look at this" }).waitFor();
      await holds(page, "");
      const [message] = (
        await bob.get<{ attachments: { name: string }[] }[]>(
          `/channels/${server.general.id}/messages?limit=1`,
        )
      ).body;
      expect(message?.attachments.map(({ name }) => name).sort()).toEqual([
        "cup.png",
        "late.txt",
        "notes.txt",
        "pasted.txt",
      ]);
      await page.unroute("**/upload");

      await input.setInputFiles(Array.from({ length: 12 }, (_, i) => file(`${i}.txt`)));
      await page.getByText("A message takes 10 files. 2 were left out.").waitFor();
      await page.getByRole("button", { name: "Take out 9.txt" }).waitFor();
      await hers.close();
    },
    patienceMs,
  );

  test(
    "pickers: emoji by keyboard, in the tone that was chosen, and GIFs, which are posted as their address",
    async () => {
      const picture = (i: number) => `https://push.example/gif/${i}.gif`;
      gifs.instead = ({ url }) => {
        const words = new URL(url).searchParams.get("q");
        const data = Array.from({ length: words === "nothing" ? 0 : 6 }, (_, i) => ({
          id: i,
          slug: `${i}`,
          title: `${words ?? "popular"} ${i}`,
          type: "gif",
          file: Object.fromEntries(
            ["hd", "md", "sm", "xs"].map((size) => [
              size,
              { gif: { url: picture(i), width: 200, height: 100, size: 10 } },
            ]),
          ),
        }));
        return Response.json({
          result: true,
          data: { data, current_page: 1, per_page: 24, has_next: false },
        });
      };
      const hers = await Watched.open(browser, house.url, { reducedMotion: "reduce" });
      const page = await hers.page(path(), alice);
      const box = boxOf(page);
      await box.waitFor();
      await box.fill("so far");
      await page.keyboard.press("End");
      await page.getByRole("button", { name: "Emoji" }).click();
      const search = page.getByRole("combobox", { name: "Search emoji" });
      await search.waitFor();
      await page.getByRole("gridcell").first().waitFor();
      await untilSo(page, "document.activeElement?.getAttribute('role') === 'combobox'");
      await expectNoBarriers(page, [360, 1280], "[role=dialog]");
      await search.fill("crossed fi");
      await page.getByRole("gridcell", { name: "crossed fingers" }).waitFor();
      expect((await page.getByRole("dialog").ariaSnapshot()).split("\n")).toEqual([
        '- dialog "Emoji":',
        '  - combobox "Search emoji" [expanded]: crossed fi',
        `  - 'button "Skin tone: as they are"': ✋`,
        '  - toolbar "Groups of emoji":',
        '    - button "Found"',
        '  - grid "Emoji":',
        '    - row "Found":',
        '      - columnheader "Found"',
        '    - row "crossed fingers":',
        '      - gridcell "crossed fingers" [selected]: 🤞',
      ]);
      await page.keyboard.press("Shift+Enter");
      await holds(page, "so far🤞");
      await search.fill("");
      await page.getByRole("button", { name: "Skin tone" }).click();
      await page.getByRole("button", { name: "dark", exact: true }).click();
      await search.fill("thumbs up");
      await page.getByRole("gridcell", { name: "thumbs up" }).waitFor();
      await search.press("Enter");
      await search.waitFor({ state: "hidden" });
      await holds(page, "so far🤞👍🏿");
      await writes(page);
      await page.getByRole("button", { name: "Emoji" }).click();
      await search.waitFor();
      // What was used last stands first.
      await page.getByRole("gridcell", { name: "thumbs up" }).first().waitFor();
      await search.press("Escape");
      await search.waitFor({ state: "hidden" });
      await untilSo(page, "document.activeElement?.getAttribute('aria-label') === 'Emoji'");

      await page.getByRole("button", { name: "GIF" }).click();
      const asking = page.getByRole("combobox", { name: "Search GIFs" });
      await asking.waitFor();
      await page.getByRole("option", { name: "popular 0" }).locator("canvas").waitFor();
      await expectNoBarriers(page, [360, 1280], "[role=dialog]");
      await asking.fill("nothing");
      await page.getByText('No GIF for "nothing".').waitFor();
      await asking.fill("owls");
      await page.getByRole("option", { name: "owls 3" }).waitFor();
      await asking.press("ArrowDown");
      await asking.press("ArrowRight");
      expect(await page.getByRole("option", { selected: true }).getAttribute("aria-label")).toBe("owls 3");
      await asking.press("Enter");
      await asking.waitFor({ state: "hidden" });
      await writes(page);
      // What was written stays.
      expect((await standing(page)).text).toBe("so far🤞👍🏿");
      await until(async () => (await said())[0]?.content === picture(3), "the GIF was never posted");
      expect((await said())[0]?.content).toBe(picture(3));
      await box.fill("");
      await hers.close();
    },
    patienceMs,
  );

  test(
    "answering, which survives a reload and Escape leaves, and correcting what was said last by the Up key",
    async () => {
      const asked = await bob.say(server.general.id, "Is there soup?");
      const hers = await Watched.open(browser, house.url);
      const page = await hers.page(path(), alice);
      const box = boxOf(page);
      await box.waitFor();
      const row = page.locator(`[data-message-id="${asked.id}"]`);
      const reply = async () => {
        await row.hover();
        await row.getByRole("button", { name: "Reply" }).click();
        await page.getByText("Replying to bob Is there soup?").waitFor();
        await writes(page);
      };
      await reply();
      await expectNoBarriers(page, [360, 1280], composer);
      await box.press("Escape");
      await page.getByText("Replying to").waitFor({ state: "hidden" });
      expect((await standing(page)).hasFocus).toBe(true);
      await reply();
      await box.fill("Leek and potato");
      await kept(page, 'replyTo !== null && text === "Leek and potato"');
      await page.reload();
      await page.getByText("Replying to bob Is there soup?").waitFor();
      await holds(page, "Leek and potato");
      await box.press("Enter");
      await page.getByRole("article").filter({ hasText: "Leek and potato" }).waitFor();
      await until(async () => (await said())[0]?.reply_to === asked.id, "it was never posted as an answer");
      await page.getByText("Replying to").waitFor({ state: "hidden" });

      await until(async () => (await page.locator("[data-state=pending]").count()) === 0, "it stays pending");
      await box.press("ArrowUp");
      const field = page.locator("textarea[data-editing]");
      await field.waitFor();
      expect(await field.inputValue()).toBe("Leek and potato");
      await field.fill("Leek and potato, hot");
      await field.press("Enter");
      await field.waitFor({ state: "hidden" });
      await page.getByRole("article").filter({ hasText: "Leek and potato, hot" }).waitFor();
      // A letter typed anywhere in the room begins the next message.
      await row.focus();
      await page.keyboard.type("Mmm");
      await holds(page, "Mmm");
      await hers.close();
    },
    patienceMs,
  );

  test(
    "typing is told at most every three seconds and fades; nothing moves by it; without the right one reads why",
    async () => {
      const [hers, his] = [await Watched.open(browser, house.url), await Watched.open(browser, house.url)];
      const page = await hers.page(path(), alice);
      const frames: string[] = [];
      const bobs = await his.context.newPage();
      bobs.on("websocket", (socket) =>
        socket.on("framesent", ({ payload }) => frames.push(String(payload).slice(0, 40))),
      );
      await bobs.close();
      const typing = await his.page(path(), bob);
      typing.on("websocket", (socket) =>
        socket.on("framesent", ({ payload }) => frames.push(String(payload))),
      );
      await typing.reload();
      await boxOf(typing).waitFor();
      await boxOf(page).waitFor();
      const before = await boxOf(page).boundingBox();
      await boxOf(typing).pressSequentially("slowly, letter by letter");
      await page.getByText("bob is typing").waitFor();
      expect(await boxOf(page).boundingBox()).toEqual(before);
      expect(frames.filter((frame) => frame.includes("TYPING_START")).length).toBeLessThanOrEqual(2);
      // Six seconds without another sign.
      await page.getByText("bob is typing").waitFor({ state: "hidden" });
      await boxOf(typing).pressSequentially("!");
      await page.getByText("bob is typing").waitFor();
      await boxOf(typing).press("Enter");
      await page.getByText("bob is typing").waitFor({ state: "hidden" });

      await boxOf(typing).fill("kept all the same");
      const rights = permission.VIEW_CHANNEL;
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, { permissions: rights });
      await typing.getByText("You can read #general but not write here.").waitFor();
      expect(await boxOf(typing).count()).toBe(0);
      await expectNoBarriers(typing, [360, 1280], composer);
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, {
        permissions: server.everyone.permissions,
      });
      await boxOf(typing).waitFor();
      expect((await standing(typing)).text).toBe("kept all the same");
      await hers.close();
      await his.close();
    },
    patienceMs,
  );
});
