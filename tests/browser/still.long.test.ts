// The messages in view stay in place, one cause at a time: late pictures, reactions, the New line, the strip, sizes.
import { expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { pictureOf } from "../house/material/images.ts";
import type { TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { throughRelay } from "./relayed.ts";
import { comes, journey } from "./scene.ts";
import { Watched } from "./watched.ts";
import {
  belowSight,
  firstInSight,
  messages as list,
  movedMost,
  untilStill,
  watchRow,
  wheel,
} from "./watching-rows.ts";

const elsewhere = "https://pictures.example/cat.gif";

throughRelay("what one reads", (scene, relay) => {
  async function home() {
    const { alice, bob, server } = await scene.twoPeople("Ubuntu");
    const channelId = server.general.id;
    const said: Message[] = [];
    const say = async (content: string, more = {}) => {
      said.push(await alice.say(channelId, content, more));
    };
    return {
      alice,
      bob,
      server,
      said,
      say,
      channelId,
      address: `/servers/${server.id}/channels/${channelId}`,
    };
  }

  async function opened(address: string, person: TestPerson, options: BrowserContextOptions = {}) {
    await person.post(`/servers/${address.split("/")[2]}/read`);
    const size = { viewport: { width: 1280, height: 800 } };
    const watched = await Watched.open(scene.browser, relay().origin, { ...size, ...options });
    watched.allow(/net::ERR_|WebSocket connection to/);
    const page = await watched.context.newPage();
    return { watched, page, go: () => arrive(watched, page, address, person) };
  }

  async function arrive(watched: Watched, page: Page, address: string, person: TestPerson): Promise<void> {
    const cookie = { name: "app_session", value: person.token, domain: "127.0.0.1", path: "/" };
    await watched.context.addCookies([{ ...cookie, httpOnly: true, sameSite: "Lax" }]);
    await page.goto(address);
    await page.locator(`${list} article`).first().waitFor();
    await untilStill(page);
  }

  /** Watches a row during an action, waits until its effect is visible, and expects that the row did not move. */
  async function expectStill(page: Page, what: string, id: string, act: () => Promise<void>): Promise<void> {
    await untilStill(page);
    await watchRow(page, id);
    await act();
    await untilStill(page);
    const moved = await movedMost(page);
    expect(moved <= 1 ? "" : `${what}: moved by ${moved}`).toBe("");
  }

  test(
    "pictures of files and of other hosts come late, above and below it: it stays where it is",
    async () => {
      const { alice, bob, said, say, address } = await home();
      for (let i = 0; i < 30; i++) await say(textOf(i));
      const tall = await pictureOf("png", { width: 400, height: 500 });
      const files = [await upload(alice, "above.png", tall), await upload(alice, "below.png", tall)];
      await say("a picture above", { attachments: [files[0]?.url] });
      await say(elsewhere);
      await say("what one reads");
      const read = said.at(-1)?.id ?? "";
      await say("a picture below", { attachments: [files[1]?.url] });
      await say(elsewhere.replace("cat", "dog"));
      for (let i = 0; i < 20; i++) await say(textOf(i));
      const { watched, page, go } = await opened(`${address}/messages/${read}`, bob);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const shown = new Set(files.flatMap(({ url, preview_url }) => [url, preview_url ?? url]));
      await page.route(
        ({ pathname }) => shown.has(pathname) || pathname.endsWith("/pictures"),
        async (route) => {
          await held;
          await route.fulfill({ body: tall, contentType: "image/png" });
        },
      );
      await go();
      const pictures = page.locator(`${list} article img`);
      await until(async () => (await pictures.count()) >= 4, "the pictures are not asked for");
      await expectStill(page, "pictures", read, async () => {
        release();
        const areThere = `[...document.querySelectorAll('${list} article img')].filter((each) => each.complete && each.naturalWidth > 0).length >= 4`;
        await until(() => page.evaluate<boolean>(areThere), "the pictures did not come");
      });
      await watched.close();
    },
    journey,
  );

  test(
    "reactions, corrections, somebody who types, the New line in the open list, and the strip that comes and goes",
    async () => {
      const { alice, bob, said, say, channelId, address } = await home();
      for (let i = 0; i < 60; i++) await say(textOf(i));
      const { watched, page, go } = await opened(`${address}/messages/${said[40]?.id}`, bob);
      await go();
      const first = await firstInSight(page);
      const at = said.findIndex(({ id }) => id === first);
      const [read = "", above, further] = [said[at + 2]?.id, said[at - 1]?.id, said[at - 3]?.id];
      const row = (id: string | undefined) => page.locator(`[data-message-id="${id}"]`);
      await expectStill(page, "reaction", read, async () => {
        await alice.post(`/messages/${above}/reactions`, { emoji: "🎉" });
        await row(above).getByRole("button", { name: /🎉/ }).waitFor({ state: "attached" });
      });
      await expectStill(page, "correction", read, async () => {
        const content = "it grew line by line\n".repeat(12).trim();
        await alice.patch(`/messages/${further}`, { content });
        await row(further).getByText("edited").waitFor({ state: "attached" });
      });
      await expectStill(page, "typing line", read, async () => {
        // The line fades after six seconds, and a busy machine may not know her name by then.
        await until(async () => {
          await alice.post(`/channels/${channelId}/typing`);
          return comes(page.getByText("alice is typing"), 5000);
        }, "she is not seen typing");
        await alice.say(channelId, "typed");
        await page.getByText("alice is typing").waitFor({ state: "detached" });
      });
      await row(read).focus();
      await expectStill(page, "New line", read, async () => {
        await page.keyboard.press("u");
        await page.getByRole("separator", { name: "New messages" }).waitFor();
      });
      const strip = page.getByRole("status", { name: "Connection" });
      await expectStill(page, "strip", read, async () => {
        relay().cut();
        await strip.waitFor();
        relay().restore();
        await page.evaluate(`dispatchEvent(new Event("online"))`);
        await strip.waitFor({ state: "detached" });
      });
      await page.getByRole("button", { name: "Jump to present" }).click();
      // A live region may contain the same text at the moment.
      await page.getByRole("article").filter({ hasText: "typed" }).waitFor();
      await untilStill(page);
      relay().cut();
      await strip.waitFor();
      await untilStill(page);
      await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      relay().restore();
      await page.evaluate(`dispatchEvent(new Event("online"))`);
      await strip.waitFor({ state: "detached" });
      await untilStill(page);
      await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      await watched.close();
    },
    journey,
  );

  test(
    "the window becomes a phone's and a desk's again, a keyboard takes half of a phone and gives it back",
    async () => {
      const { bob, said, say, address } = await home();
      for (let i = 0; i < 80; i++) await say(textOf(i));
      const { watched, page, go } = await opened(`${address}/messages/${said[40]?.id}`, bob);
      await go();
      for (const width of [360, 1280, 700, 1280]) {
        await expectStill(page, `${width} wide`, await firstInSight(page), () =>
          page.setViewportSize({ width, height: 800 }),
        );
      }
      // A phone that lies, and is put upright.
      await page.setViewportSize({ width: 640, height: 390 });
      for (let turn = 0; turn < 6; turn++) {
        await go();
        const read = await firstInSight(page);
        await expectStill(page, `turn ${turn}`, read, () =>
          page.setViewportSize(turn % 2 === 0 ? { width: 390, height: 844 } : { width: 640, height: 390 }),
        );
      }
      await watched.close();

      const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
      const other = await opened(address, bob, phone);
      // A browser that does not resize for the keyboard only reports a smaller visible part.
      await other.watched.context.addInitScript(`
        const seen = Object.assign(new EventTarget(), { height: innerHeight, scale: 1 });
        Object.defineProperty(window, "visualViewport", { get: () => seen });`);
      const keyboard = (pixels: number) =>
        other.page.evaluate(
          `visualViewport.height = innerHeight - ${pixels}; visualViewport.dispatchEvent(new Event("resize"))`,
        );
      await other.go();
      const box = boxOf(other.page);
      await wheel(other.page, -900);
      const read = await firstInSight(other.page);
      await expectStill(other.page, "keyboard", read, async () => {
        await box.focus();
        await other.page.setViewportSize({ width: 360, height: 400 });
        await untilStill(other.page);
        await other.page.setViewportSize({ width: 360, height: 740 });
      });
      await expectStill(other.page, "keyboard over the page", read, async () => {
        await keyboard(330);
        await untilStill(other.page);
        const bottom = await box.boundingBox().then((at) => (at?.y ?? 0) + (at?.height ?? 0));
        expect(bottom).toBeLessThanOrEqual(410);
        await keyboard(0);
      });
      await other.page.getByRole("button", { name: "Jump to present" }).click();
      await untilStill(other.page);
      await keyboard(330);
      await untilStill(other.page);
      await eventually(() => belowSight(other.page)).toBeLessThanOrEqual(1);
      await other.watched.close();
    },
    journey,
  );
});

/** Texts of different lengths, for rows of different heights. */
function textOf(i: number): string {
  return `${i}: ${"the disk is mounted again after every start of this machine ".repeat((i * 7) % 5)}`.trim();
}
