// What a message looks like and what one does with it: two people in two browsers, by pointer, by key and by finger.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import sharp from "sharp";
import type { Message } from "../../features/messages/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { answering } from "../doubles/picture-host.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { upload } from "../house/files.ts";
import { pictureOf } from "../house/images.ts";
import type { TestPerson } from "../house/people.ts";
import { reachedBy } from "../house/pictures.ts";
import { expectNoBarriers } from "./axe.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { Watched } from "./watched.ts";

type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

const patienceMs = 120_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";

describe.skipIf(!chromiumPath)(`messages in Chromium${here}`, () => {
  let house: TestHouse;
  let browser: Browser;

  beforeAll(async () => {
    house = await makeHouse("SQLite", { AVATAR_URL: "off" });
    await house.open();
    browser = await launchChromium();
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await house?.end();
  }, patienceMs);

  const host = reachedBy(() => house);

  async function scene() {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    const server = await alice.makeServer("The kitchen");
    await alice.bringIn(server.id, bob);
    return { alice, bob, server, general: server.general };
  }

  async function open(person: TestPerson, { id, general }: Home, options = {}, ...allowed: RegExp[]) {
    const watched = await Watched.open(browser, house.url, options);
    for (const complaint of allowed) watched.allow(complaint);
    const page = await watched.page(`/servers/${id}/channels/${general.id}`, person);
    await page.getByRole("main", { name: general.name }).waitFor();
    return { watched, page };
  }

  function rowOf(page: Page, { id }: Pick<Message, "id">): Locator {
    return page.locator(`article[data-message-id="${id}"]`);
  }

  const focused = (page: Page) =>
    page.evaluate<string>(
      `document.activeElement?.closest("[data-message-id]")?.dataset.messageId ?? document.activeElement?.tagName ?? ""`,
    );

  test(
    "What people write is shown as they mean it: Markdown, code, calls, replies, pictures of files, emoji alone",
    async () => {
      const { alice, bob, server, general } = await scene();
      const role = (
        await alice.post<{ id: string }>(`/servers/${server.id}/roles`, {
          name: "cooks",
          permissions: 0,
          position: 1,
          color: "#2f8f83",
        })
      ).body;
      await alice.put(`/servers/${server.id}/members/${bob.id}/roles`, { role_ids: [role.id] });
      const [wide, file] = [
        await upload(bob, "wide.png", await pictureOf("png", { width: 1680, height: 600 })),
        await upload(bob, "list.txt", "flour\nsugar\n"),
      ];
      const asked = await bob.say(general.id, `@${alice.username} **how** much *salt*? ask #general`);
      const answered = await alice.say(general.id, "```js\nconst salt = 1;\n```\n||not much||", {
        reply_to: asked.id,
      });
      const lost = await bob.say(general.id, "goes away");
      const orphan = await bob.say(general.id, "🎉 🎉", { reply_to: lost.id });
      await bob.delete(`/messages/${lost.id}`);
      const files = await bob.say(general.id, "", { attachments: [wide.url, file.url] });
      const { watched, page } = await open(alice, server);

      const first = rowOf(page, asked);
      await first.locator("strong", { hasText: "how" }).waitFor();
      expect(await first.locator("em").textContent()).toBe("salt");
      expect(await first.getByRole("link", { name: "#general" }).getAttribute("href")).toBe(
        `/servers/${server.id}/channels/${general.id}`,
      );
      const style = (selector: string, property: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
      // Her own name is underlined, not filled.
      expect(await style(`[data-message-id="${asked.id}"] p button`, "boxShadow")).toContain("inset");
      const name = first.getByRole("button", { name: "bob" });
      const ink = await page.evaluate("getComputedStyle(document.body).color");
      await until(() =>
        page.evaluate<boolean>(
          `getComputedStyle(document.querySelector('[data-message-id="${asked.id}"] header button span')).color !== "${ink}"`,
        ),
      );
      await name.click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");

      const second = rowOf(page, answered);
      expect(
        await second
          .getByRole("link", { name: /Reply to bob: @alice_\d+ how much salt/ })
          .getAttribute("href"),
      ).toBe(`/servers/${server.id}/channels/${general.id}/messages/${asked.id}`);
      // The colours are loaded with the first code.
      await second.locator("code span", { hasText: "const" }).waitFor();
      await second.getByRole("button", { name: "Show what is hidden" }).click();
      await second.getByText("not much").waitFor();
      await until(async () => (await focused(page)) === answered.id);
      await rowOf(page, orphan).getByText("The original was deleted").waitFor();
      expect(
        Number.parseFloat(await style(`[data-message-id="${orphan.id}"] p`, "fontSize")),
      ).toBeGreaterThan(24);

      const third = rowOf(page, files);
      const box = await third.getByRole("button", { name: "Open wide.png" }).boundingBox();
      expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([420, 150]);
      expect(await third.getByRole("link", { name: "Download list.txt" }).getAttribute("download")).toBe(
        "list.txt",
      );
      await third.getByRole("button", { name: "Open wide.png" }).click();
      const lightbox = page.getByRole("dialog");
      await lightbox.getByRole("img", { name: "wide.png" }).waitFor();
      await lightbox.getByRole("button", { name: "Zoom in" }).click();
      await page.keyboard.press("Escape");
      await lightbox.waitFor({ state: "detached" });
      await until(() =>
        page.evaluate<boolean>(`document.activeElement?.getAttribute("aria-label") === "Open wide.png"`),
      );
      await expectNoBarriers(page);
      await watched.close();
    },
    patienceMs,
  );

  test(
    "By pointer: react, answer, correct, copy a link, mark as unread, delete and think better of it; Bob sees it all",
    async () => {
      const { alice, bob, server, general } = await scene();
      const his = await bob.say(general.id, "Who cooks?");
      const hers = await alice.say(general.id, "Me.");
      const { watched, page } = await open(alice, server, {
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const other = await open(bob, server);
      const verb = async (row: Locator, name: string) => {
        await row.hover();
        await row
          .getByRole("toolbar", { name: "Message actions" })
          .getByRole("button", { name, exact: true })
          .click();
      };

      await verb(rowOf(page, his), "React with 👍");
      await rowOf(page, his).getByRole("button", { name: "👍 1", pressed: true }).waitFor();
      await rowOf(other.page, his).getByRole("button", { name: "👍 1", pressed: false }).click();
      await rowOf(page, his).getByRole("button", { name: "👍 2" }).hover();
      await rowOf(page, his).getByRole("tooltip").filter({ hasText: "bob and you" }).waitFor();
      await rowOf(page, his).getByRole("button", { name: "👍 2" }).click();
      await rowOf(other.page, his).getByRole("button", { name: "👍 1" }).waitFor();

      await verb(rowOf(page, his), "Reply");
      await until(() => page.evaluate<boolean>(`document.activeElement?.tagName === "TEXTAREA"`));
      await page.keyboard.type("I do.");
      await page.keyboard.press("Enter");
      await other.page.getByRole("link", { name: "Reply to bob: Who cooks?" }).waitFor();

      await verb(rowOf(page, hers), "Edit");
      const field = page.getByRole("textbox", { name: "Edit message" });
      await field.fill("Me, with pleasure.");
      await field.press("Enter");
      await rowOf(other.page, hers).getByText("Me, with pleasure.").waitFor();
      await rowOf(other.page, hers).getByText("edited").waitFor();

      await verb(rowOf(page, hers), "Copy link");
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(
        `${house.url}/servers/${server.id}/channels/${general.id}/messages/${hers.id}`,
      );

      const marked = page.waitForResponse(
        (answer) =>
          answer.url().endsWith(`/channels/${general.id}/read`) &&
          answer.request().postData()?.includes(hers.id.slice(0, 8)) === true,
      );
      await verb(rowOf(page, hers), "Mark unread from here");
      expect((await marked).status()).toBe(204);

      await verb(rowOf(page, hers), "Delete");
      await rowOf(page, hers).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await rowOf(page, hers).waitFor();
      expect((await alice.get(`/messages/${hers.id}`)).status).toBe(200);
      await rowOf(page, hers).hover();
      await rowOf(page, hers)
        .getByRole("button", { name: "Delete" })
        .click({ modifiers: ["Shift"] });
      await rowOf(other.page, hers).waitFor({ state: "detached" });
      // He may not delete what is hers, nor correct it.
      await rowOf(other.page, his).hover();
      const [last] = await alice
        .get<Message[]>(`/channels/${general.id}/messages?limit=1`)
        .then(({ body }) => body);
      await rowOf(other.page, { id: last?.id ?? "" }).hover();
      const bar = rowOf(other.page, { id: last?.id ?? "" }).getByRole("toolbar");
      await bar.waitFor();
      expect(await bar.getByRole("button", { name: /^(Edit|Delete)$/ }).count()).toBe(0);
      // Leaving the page does not undo.
      await verb(rowOf(page, last ?? hers), "Delete");
      await page.goto("about:blank");
      await until(async () => (await alice.get(`/messages/${last?.id}`)).status === 404);
      await watched.close();
      await other.watched.close();
    },
    patienceMs,
  );

  test(
    "What is selected over many messages is copied whole, also what is out of sight: who, and what they said",
    async () => {
      const { alice, bob, server, general } = await scene();
      const said: Message[] = [];
      for (let i = 0; i < 90; i++) said.push(await (i < 45 ? bob : alice).say(general.id, `line ${i} of it`));
      const permissions = ["clipboard-read", "clipboard-write"];
      const { watched, page } = await open(alice, server, { permissions });
      const [first, last] = [said[20], said[89]];
      await rowOf(page, last ?? lost).waitFor();
      await page.evaluate(
        `{ const text = document.querySelector('[data-message-id="${last?.id}"] p').firstChild; getSelection().setBaseAndExtent(text, 4, text, 0); }`,
      );
      await page.mouse.move(600, 300);
      while ((await rowOf(page, first ?? lost).count()) === 0) await page.mouse.wheel(0, -400);
      expect(await rowOf(page, last ?? lost).count()).toBe(1);
      await page.evaluate(
        `getSelection().extend(document.querySelector('[data-message-id="${first?.id}"] p').firstChild, 0)`,
      );
      expect(await page.getByRole("article").count()).toBeLessThan(60);
      await page.keyboard.press("Control+c");
      const copied = await page.evaluate<string>("navigator.clipboard.readText()");
      const lines = copied
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
      expect(lines).toEqual([
        ...said.slice(20, 45).map(({ content }) => content),
        "alice",
        ...said.slice(45, 89).map(({ content }) => content),
        "line",
      ]);
      await watched.close();
    },
    patienceMs,
  );

  test(
    "Twenty kinds of emoji are all there is room for, and eight are shown; what failed to be sent waits for its writer",
    async () => {
      const { alice, bob, server, general } = await scene();
      const message = await bob.say(general.id, "Favourites?");
      for (const emoji of twenty) await bob.post(`/messages/${message.id}/reactions`, { emoji });
      const { watched, page } = await open(alice, server, {}, /status of (403|429)/);
      const row = rowOf(page, message);
      await row.getByRole("button", { name: "Show 12 more" }).click();
      expect(await row.getByRole("list", { name: "Reactions" }).getByRole("listitem").count()).toBe(21);
      expect(await row.getByRole("button", { name: "Add a reaction" }).getAttribute("title")).toMatch(
        /^20 kinds/,
      );

      // Her right goes while the message is on its way: as the server would say it.
      let says: object | undefined = { error: "You may not write here.", code: "forbidden" };
      await page.route(`**/channels/${general.id}/messages`, async (route) => {
        if (route.request().method() !== "POST" || says === undefined) return route.continue();
        const status = "retry_after" in says ? 429 : 403;
        await route.fulfill({ status, json: says });
      });
      const write = page.getByRole("textbox", { name: "Message #general" });
      await write.fill("Cake.");
      await write.press("Enter");
      const failed = page.locator("[data-state=failed]");
      await failed.getByText("Not sent. You may not write here.").waitFor();
      await write.fill("Pie.");
      await write.press("Enter");
      await failed.nth(1).getByRole("button", { name: "Discard" }).click();
      says = undefined;
      await failed.getByRole("button", { name: "Send again" }).click();
      await until(() => page.evaluate<boolean>("document.activeElement !== document.body"));
      await page.locator("[data-message-id]").filter({ hasText: "Cake." }).waitFor();
      expect(await failed.count()).toBe(0);

      says = { error: "Too fast.", code: "rate_limited", retry_after: 2 };
      await write.fill("Tea.");
      await write.press("Enter");
      await page
        .locator("[data-state=pending]")
        .getByText(/You are sending too fast; wait [12] sec/)
        .waitFor();
      says = undefined;
      await page.locator("[data-message-id]").filter({ hasText: "Tea." }).waitFor();
      const texts = (await bob.get<Message[]>(`/channels/${general.id}/messages`)).body.map(
        ({ content }) => content,
      );
      expect(texts).toEqual(["Tea.", "Cake.", "Favourites?"]);
      await watched.close();
    },
    patienceMs,
  );

  test(
    "By key alone: the menu, single letters, a correction that the server does not get, moderators' deleting; the focus is never lost",
    async () => {
      const { alice, bob, server, general } = await scene();
      const first = await alice.say(general.id, "First.");
      const second = await bob.say(general.id, "Second.");
      const third = await alice.say(general.id, "Third.");
      const { watched, page } = await open(alice, server);
      watched.allow(/ERR_INTERNET_DISCONNECTED|net::ERR/);
      await rowOf(page, third).focus();

      await page.keyboard.press("Shift+F10");
      await page.getByRole("menu", { name: "Message actions" }).waitFor();
      for (const name of [
        "React",
        "Reply",
        "Edit",
        "Copy text",
        "Copy link",
        "Mark unread from here",
        "Delete",
      ])
        expect(await page.getByRole("menuitem", { name }).count()).toBe(1);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      expect(await focused(page)).toBe(third.id);

      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
      const field = page.getByRole("textbox", { name: "Edit message" });
      await field.waitFor();
      await until(() => page.evaluate<boolean>("document.activeElement?.tagName === 'TEXTAREA'"));
      await field.fill("Third, and last.");
      await watched.context.setOffline(true);
      await field.press("Enter");
      await page.getByText("What you wrote is kept.").waitFor();
      expect(await field.inputValue()).toBe("Third, and last.");
      await watched.context.setOffline(false);
      await field.press("Enter");
      await field.waitFor({ state: "detached" });
      await rowOf(page, third).getByText("Third, and last.").waitFor();
      expect(await focused(page)).toBe(third.id);
      await page.keyboard.press("e");
      await field.press("Escape");
      expect(await focused(page)).toBe(third.id);

      await page.keyboard.press("+");
      await page
        .getByRole("combobox")
        .or(page.getByRole("searchbox"))
        .or(page.getByRole("textbox", { name: /emoji/i }))
        .first()
        .waitFor();
      await page.keyboard.type("tada");
      await page.getByRole("gridcell", { name: "party popper", selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await rowOf(page, third).getByRole("button", { name: "🎉 1" }).waitFor();

      await rowOf(page, second).focus();
      await page.keyboard.press("Delete");
      await rowOf(page, second).waitFor({ state: "detached" });
      expect(await focused(page)).toBe(third.id);
      await page.keyboard.press("Control+z");
      await rowOf(page, second).waitFor();
      await rowOf(page, second).focus();
      await page.keyboard.press("Shift+Delete");
      await rowOf(page, second).waitFor({ state: "detached" });
      await until(async () => (await alice.get(`/messages/${second.id}`)).status === 404);
      await rowOf(page, first).focus();
      await page.keyboard.press("r");
      expect(await page.evaluate<string>("document.activeElement?.tagName ?? ''")).toBe("TEXTAREA");
      await watched.close();
    },
    patienceMs,
  );

  test(
    "By finger: a long press opens the sheet, and a message of somebody blocked is one line",
    async () => {
      const { alice, bob, server, general } = await scene();
      const message = await bob.say(general.id, "Soup?");
      const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
      const { watched, page } = await open(alice, server, phone);
      await page.evaluate("document.fonts.ready");
      await press(page, rowOf(page, message));
      const sheet = page.getByRole("dialog", { name: "Message actions" });
      await sheet.getByRole("button", { name: "Copy text" }).waitFor();
      await expectNoBarriers(page, [360]);
      await sheet.getByRole("button", { name: "React with 🙏" }).tap();
      await rowOf(page, message).getByRole("button", { name: "🙏 1" }).waitFor();

      await alice.put(`/blocks/${bob.id}`);
      await page.getByText("A message of somebody whom you block.").waitFor();
      expect(await page.getByText("Soup?").count()).toBe(0);
      await page.getByRole("button", { name: "Show" }).tap();
      await page.getByText("Soup?").waitFor();
      await watched.close();
    },
    patienceMs,
  );

  test(
    "GIFs of other hosts stand still where nothing shall move, until they are asked; recordings are played from anywhere",
    async () => {
      const { alice, bob, server, general } = await scene();
      host().at("/wave.gif", answering(await gifOfTwo(), { "Content-Type": "image/gif" }));
      host().at("/gone.gif", answering("", {}, 404));
      const wave = await bob.say(general.id, "https://push.example/wave.gif");
      const gone = await bob.say(general.id, "https://push.example/gone.gif");
      const song = await bob.say(general.id, "Listen!", {
        attachments: [(await upload(bob, "song.wav", silence(30))).url],
      });
      const { watched, page } = await open(alice, server, { reducedMotion: "reduce" }, /status of 404/);
      const row = rowOf(page, wave);
      await row.getByRole("img", { name: "wave.gif" }).and(row.locator("canvas")).waitFor();
      const still = await row.getByRole("button", { name: "Open wave.gif" }).boundingBox();
      expect([still?.width, still?.height]).toEqual([320, 180]);
      await row.getByRole("button", { name: "Play wave.gif" }).click();
      await row.locator("img").waitFor();
      expect(await row.getByRole("button", { name: "Open wave.gif" }).boundingBox()).toEqual(still);
      await rowOf(page, gone).getByText("gone.gif cannot be shown.").waitFor();

      const player = rowOf(page, song).locator("audio");
      await player.waitFor();
      await until(() => page.evaluate<boolean>(`document.querySelector("audio").duration > 29`));
      await page.evaluate(`document.querySelector("audio").currentTime = 25`);
      await until(() =>
        page.evaluate<boolean>(
          `(({ seeking, currentTime, readyState }) => !seeking && currentTime >= 25 && readyState >= 2)(document.querySelector("audio"))`,
        ),
      );
      await watched.close();
    },
    patienceMs,
  );

  test(
    "Whatever is written anywhere, it is text: in messages, names, files, webhooks, servers and channels",
    async () => {
      const [alice, bob] = [await house.person("alice"), await house.person("bob")];
      const evil = `"><img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=1</script>`;
      const server = await alice.makeServer(`S ${evil}`.slice(0, 100));
      await alice.bringIn(server.id, bob);
      await bob.patch("/auth/me", { display_name: `B ${evil}`.slice(0, 64) });
      await alice.patch(`/channels/${server.general.id}`, { name: `c ${evil}`.slice(0, 100) });
      const file = await upload(bob, `${evil.replaceAll("/", "_").slice(0, 60)}.txt`, "text");
      await bob.say(server.general.id, "", { attachments: [file.url] });
      for (const text of hostile) await bob.say(server.general.id, text);
      const webhook = (
        await alice.post<{ id: string; token: string }>(`/channels/${server.general.id}/webhooks`, {
          name: `W ${evil}`.slice(0, 80),
        })
      ).body;
      await alice.post(`/webhooks/${webhook.id}/${webhook.token}`, { content: evil });
      const watched = await Watched.open(browser, house.url);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await page.getByRole("article").last().getByText(evil, { exact: true }).waitFor();
      const wrong = `[...document.querySelectorAll("main a[href], main img, main iframe, main script, main svg a, main [onerror], main [onclick], main style")].filter((each) => !/^(https?:|mailto:|\\/)/.test(each.getAttribute("href") ?? each.getAttribute("src") ?? "x")).map((each) => each.outerHTML)`;
      expect(await page.evaluate<string[]>(wrong)).toEqual([]);
      expect(await page.evaluate<unknown>("globalThis.hurt")).toBeUndefined();
      await watched.close();
    },
    patienceMs,
  );

  test(
    "What there is no right for is not offered: who may only read sees neither answering nor reacting",
    async () => {
      const { alice, bob, server, general } = await scene();
      const message = await alice.say(general.id, "Read me.");
      await alice.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, {
        permissions: permission.VIEW_CHANNEL,
      });
      const { watched, page } = await open(bob, server);
      const row = rowOf(page, message);
      await row.hover();
      await row.getByRole("toolbar").waitFor();
      expect(
        await row.getByRole("button", { name: /^(React|Reply|Edit|Delete|Add a reaction)/ }).count(),
      ).toBe(0);
      await row.getByRole("button", { name: "👍 1" }).click({ force: true });
      expect((await alice.get<Message>(`/messages/${message.id}`)).body.reactions).toMatchObject([
        { count: 1 },
      ]);
      await watched.close();
    },
    patienceMs,
  );
});

/** Never there. */
const lost = { id: "nothing" };

const twenty = [..."😀😃😄😁😆😅😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙🥲"];

const hostile = [
  "<script>globalThis.hurt=1</script>",
  "<img src=x onerror=globalThis.hurt=1>",
  "[x](javascript:globalThis.hurt=1)",
  "[x](JaVaScRiPt:globalThis.hurt=1)",
  "[x](java&#115;cript:globalThis.hurt=1)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "![x](javascript:globalThis.hurt=1)",
  '![x](https://x.invalid/a.png" onerror="globalThis.hurt=1)',
  "<javascript:globalThis.hurt=1>",
  '[x](https://x.invalid "onmouseover=globalThis.hurt=1")',
  "`<img src=x onerror=globalThis.hurt=1>`",
  '```"><img src=x onerror=globalThis.hurt=1>\n</code></pre><script>globalThis.hurt=1</script>\n```',
  "<svg onload=globalThis.hurt=1>",
  "<style>@import 'https://x.invalid'</style>",
  "||<img src=x onerror=globalThis.hurt=1>||",
  "> <iframe src=javascript:globalThis.hurt=1>",
  "{{constructor.constructor('globalThis.hurt=1')()}}",
  "\u202egpj.exe",
];

/** Two frames. */
async function gifOfTwo(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp([await frame("teal"), await frame("red")], { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer();
}

/** So many seconds, 8,000 samples each, of one byte. */
function silence(seconds: number): Uint8Array {
  const samples = 8000 * seconds;
  const wave = Buffer.alloc(44 + samples, 128);
  wave.write("RIFF", 0, "latin1");
  wave.writeUInt32LE(36 + samples, 4);
  wave.write("WAVEfmt ", 8, "latin1");
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(8000, 24);
  wave.writeUInt32LE(8000, 28);
  wave.writeUInt16LE(1, 32);
  wave.writeUInt16LE(8, 34);
  wave.write("data", 36, "latin1");
  wave.writeUInt32LE(samples, 40);
  return wave;
}

/** A finger that rests. */
async function press(page: Page, row: Locator): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await row.boundingBox()) ?? {};
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.getByRole("dialog", { name: "Message actions" }).waitFor();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error("it did not become so");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
