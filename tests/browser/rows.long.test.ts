// The rows of a room: few are drawn at a time, a selection across many is copied whole, and the rail jumps to days.
import { expect, setSystemTime, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { copiedText } from "./clipboard.ts";
import { eventually } from "./eventually.ts";
import { forgetKept } from "./kept.ts";
import { hasFocus, inChromium, journey, untilPart } from "./scene.ts";
import {
  drawnIds,
  firstInSight,
  follow,
  messages as list,
  movedMost,
  untilStill,
  watchRow,
  wheel,
} from "./watching-rows.ts";

const dayMs = 24 * 3600_000;

inChromium("the rows of a room", (scene) => {
  async function home() {
    const { alice, bob, server } = await scene.twoPeople("Ubuntu");
    const channelId = server.general.id;
    const said: Message[] = [];
    const say = async (count: number) => {
      for (let i = 0; i < count; i++) said.push(await alice.say(channelId, `message ${said.length}`));
    };
    return { alice, bob, server, said, say, address: `/servers/${server.id}/channels/${channelId}` };
  }

  async function opened(address: string, person: TestPerson, options: BrowserContextOptions = {}) {
    const size = { viewport: { width: 1280, height: 800 } };
    const watched = await scene.watched({ ...size, ...options });
    const page = await watched.page(address, person);
    await page.locator(`${list} article`).first().waitFor();
    await untilStill(page);
    return { watched, page };
  }

  test(
    "of the smallest rows there are never more than eighty: scrolled fast, jumped to, all selected, in a taller window",
    async () => {
      const { bob, server, said, say, address } = await home();
      await say(900);
      await bob.post(`/servers/${server.id}/read`);
      const watched = await scene.watched({ viewport: { width: 1280, height: 800 } });
      await watched.context.addInitScript(
        `if (location.host) localStorage.setItem("hearth.look", JSON.stringify({ density: "compact" }))`,
      );
      const page = await watched.page(address, bob);
      await page.locator(`${list} article`).first().waitFor();
      await untilStill(page);
      await countMost(page);
      for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -4000);
      for (let i = 0; i < 10; i++) await wheel(page, -9000 * (i % 3 === 2 ? -1 : 1));
      await page.keyboard.press("Control+a");
      await wheel(page, -3000);
      await follow(page, `${address}/messages/${said[450]?.id}`);
      await page.locator(`[data-message-id="${said[450]?.id}"]`).waitFor();
      await untilStill(page);
      await page.setViewportSize({ width: 1800, height: 1300 });
      await untilStill(page);
      await wheel(page, -2500);
      await page.setViewportSize({ width: 360, height: 700 });
      await untilStill(page);
      await page.setViewportSize({ width: 1280, height: 1300 });
      await page.getByRole("button", { name: "Jump to present" }).click();
      await page.locator(`[data-message-id="${said.at(-1)?.id}"]`).waitFor();
      await untilStill(page);
      expect(await page.evaluate<number>("globalThis.mostRows")).toBeLessThanOrEqual(80);
      await watched.close();
    },
    journey,
  );

  test(
    "text that is selected over many rows is copied whole, though few of them are drawn",
    async () => {
      const { alice, bob, server, said, say, address } = await home();
      await say(60);
      const link = await bob.say(server.general.id, "**the turn** of Bob");
      await say(60);
      await alice.post(`/servers/${server.id}/read`);
      await bob.post(`/servers/${server.id}/read`);
      const permissions = ["clipboard-write"];
      const { watched, page } = await opened(address, bob, { permissions });
      await page.locator(`[data-message-id="${said[119]?.id}"] p`).dblclick({ position: { x: 4, y: 8 } });
      for (let i = 0; i < 20 && !(await drawnIds(page)).includes(said[10]?.id ?? ""); i++)
        await wheel(page, -700);
      const first = page.locator(`[data-message-id="${said[10]?.id}"] p`);
      await first.click({ modifiers: ["Shift"], position: { x: 1, y: 8 } });
      await untilStill(page);
      await eventually(async () => (await drawnIds(page)).length).toBeLessThanOrEqual(80);
      await untilPart(page, "copied");
      await page.keyboard.press("Control+c");
      const copied = async (lines: RegExp) =>
        (await copiedText(page)).split("\n").filter((line) => lines.test(line));
      const between = said.slice(10, 119).map(({ content }) => content);
      const expected = [...between.slice(0, 50), link.content, ...between.slice(50)];
      await eventually(async () => (await copied(/message|turn/)).slice(0, -1)).toEqual(expected);
      await eventually(() => copied(/^(alice|bob)$/)).toEqual(["bob", "alice"]);
      // The selection is unchanged.
      expect(await page.evaluate<string>("getSelection().toString()")).toContain("message 10");
      await watched.close();
    },
    journey,
  );

  test(
    "the rail leads through the days, by pointer and by key, and says where one is; a face opens the card of its person",
    async () => {
      const { alice, bob, server, said, say, address } = await home();
      const now = Date.now();
      for (const days of [3, 2, 1, 0]) {
        setSystemTime(now - days * dayMs);
        await say(30);
      }
      setSystemTime();
      await bob.post(`/servers/${server.id}/read`);
      const { watched, page } = await opened(address, bob);
      for (let i = 0; i < 12 && !(await drawnIds(page)).includes(said[0]?.id ?? ""); i++)
        await wheel(page, -1500);
      const rail = page.getByRole("slider", { name: "Days" });
      const dayOf = (days: number) => {
        const parts = { weekday: "long", day: "numeric", month: "long" } as const;
        return new Intl.DateTimeFormat("en-GB", parts).format(now - days * dayMs).replace(/[^\w]+/g, ".*");
      };
      const says = (days: number) =>
        until(
          async () => new RegExp(dayOf(days)).test((await rail.getAttribute("aria-valuetext")) ?? ""),
          `the rail does not say the day ${days} days ago`,
        );
      await rail.focus();
      await page.keyboard.press("Home");
      await says(3);
      await page.keyboard.press("ArrowDown");
      await says(2);
      await eventually(() => rail.getAttribute("aria-valuenow")).toBe("1");
      await eventually(() => rail.getAttribute("aria-valuemax")).toBe("3");
      await page.keyboard.press("End");
      await says(0);
      await page.keyboard.press("PageUp");
      await page.keyboard.press("ArrowUp");
      await until(
        async () => (await rail.getAttribute("aria-valuenow")) !== "3",
        "the keys of the rail lead nowhere",
      );
      const box = await rail.boundingBox();
      if (!box) throw new Error("there is no rail");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height - 20);
      await page.mouse.down();
      await says(0);
      for (let part = 0.9; part > 0.02; part -= 0.1)
        await page.mouse.move(box.x + box.width / 2, box.y + box.height * part);
      await page.mouse.move(box.x + box.width / 2, box.y + 16);
      await says(3);
      await page.mouse.up();
      await untilStill(page);
      await eventually(() => firstInSight(page)).toBe(said[0]?.id ?? "");

      await page.locator(`[data-message-id="${said[0]?.id}"] > span[aria-hidden]`).click();
      await page.getByRole("dialog", { name: /alice/ }).waitFor();
      await until(
        () => page.evaluate<boolean>("document.activeElement.closest('[role=dialog]') !== null"),
        "the card has not the focus",
      );
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await until(
        async () => (await page.evaluate<string>("document.activeElement.textContent")) === "alice",
        "the focus does not come back",
      );
      expect(alice.username).toContain("alice");
      await watched.close();
    },
    journey,
  );

  test(
    "at the upper end of what is loaded it is said that older ones are on their way, and what one reads stays where it is",
    async () => {
      const { bob, server, said, say, address } = await home();
      await say(200);
      await bob.post(`/servers/${server.id}/read`);
      const { watched, page } = await opened(address, bob);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/before=/, async (route) => {
        await held;
        await route.continue();
      });
      const coming = page.getByRole("status").getByText("Messages are loading");
      // A page of messages that was already requested comes first.
      while (!(await coming.isVisible())) await wheel(page, -9000);
      const oldest = await firstInSight(page);
      const at = said.findIndex(({ id }) => id === oldest);
      expect(at).toBeGreaterThan(0);
      // The one below would move up if the oldest lost the line of its author, who wrote the older ones, too.
      await watchRow(page, said[at + 1]?.id ?? "");
      release();
      await coming.waitFor({ state: "detached" });
      await page.locator(`[data-message-id="${said[at - 1]?.id}"]`).waitFor({ state: "attached" });
      expect(await movedMost(page)).toBeLessThanOrEqual(1);
      await watched.close();
    },
    journey,
  );

  test(
    "messages that do not come say so, what comes late is shown all the same, and one may ask again; on a slow line bones of rows",
    async () => {
      const { bob, server, said, say, address } = await home();
      await say(30);
      await bob.post(`/servers/${server.id}/read`);
      const watched = await scene.watched({ viewport: { width: 1280, height: 800 } });
      let asked = 0;
      let answer = () => {};
      await watched.context.route(/\/messages\?/, async (route) => {
        asked++;
        if (asked === 1 || asked === 3) return;
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        await route.continue();
      });
      const page = await watched.page(address, bob);
      await page.getByText("Messages are loading").waitFor({ state: "attached" });
      await page.getByRole("heading", { name: "These messages did not load" }).waitFor();
      await page.getByRole("button", { name: "Try again" }).click();
      await until(() => asked === 2, "it is not asked for again");
      await page.getByText("Messages are loading").waitFor({ state: "attached" });
      await until(() => hasFocus(page), "the focus was lost with the button");
      answer();
      await page.locator(`[data-message-id="${said.at(-1)?.id}"]`).waitFor();
      await untilStill(page);
      const heights = (of: string) =>
        page.evaluate<number[]>(
          `[...document.querySelectorAll('${of}')].map((each) => Math.round(each.getBoundingClientRect().height))`,
        );
      const rows = await heights(`${list} [data-row-key]`);
      await forgetKept(page);
      await page.goto(address);
      await page.getByText("Messages are loading").waitFor({ state: "attached" });
      const bones = await heights("section [aria-busy] > div");
      expect(bones.length).toBeGreaterThan(10);
      expect(bones).toEqual(rows.slice(-bones.length));
      await watched.close();
    },
    journey,
  );
});

/** Records the highest number of drawn rows over all frames. */
async function countMost(page: Page): Promise<void> {
  await page.evaluate(`
    globalThis.mostRows = 0;
    const count = () => {
      globalThis.mostRows = Math.max(globalThis.mostRows, document.querySelectorAll('${list} article').length);
      requestAnimationFrame(count);
    };
    count();`);
}
