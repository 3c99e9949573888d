// Nothing is lost or doubled by a cut network, a killed server, a reload, or a long sleep.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { Relay } from "../client/relay.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { chromiumPath, closeContexts, sharedChromium } from "./chromium.ts";
import { boxOf, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { untilConnected } from "./relayed.ts";
import { journey } from "./scene.ts";
import { Watched } from "./watched.ts";
import {
  belowSight,
  drawnIds,
  endWatched,
  firstInSight,
  messages as list,
  movedMost,
  untilStill,
  watchEnd,
  watchRow,
  wheel,
} from "./watching-rows.ts";

const openingMs = 400_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";

describe.skipIf(!chromiumPath)(`what is said over a bad network, in Chromium${here}`, () => {
  const folder = temporaryFolder();
  let server: ServerProcess;
  let relay: Relay;
  let browser: Browser;
  let origin: string;
  const host = {
    get url() {
      return server.url;
    },
  };

  const start = async () => {
    const settings = { DATA_DIR: folder.path, AVATAR_URL: "off", TRUSTED_ORIGINS: origin };
    server = await startServer({ settings });
  };

  beforeAll(async () => {
    relay = await Relay.to(() => server.url);
    origin = relay.origin;
    await start();
    browser = await sharedChromium();
  }, openingMs);
  afterAll(async () => {
    await closeContexts(browser);
    relay?.close();
    await server?.stop();
    folder.remove();
  }, openingMs);

  async function talking(count: number) {
    const [alice, bob] = [await TestPerson.register(host, "alice"), await TestPerson.register(host, "bob")];
    const home = await alice.makeServer("Ubuntu");
    await alice.bringIn(home.id, bob);
    const channelId = home.general.id;
    for (let i = 0; i < count; i++) await alice.say(channelId, `said before, ${i}`);
    await bob.post(`/servers/${home.id}/read`);
    const watched = await Watched.open(browser, origin, { viewport: { width: 1280, height: 800 } });
    // The browser's messages about a network that is down, and a session that has ended.
    watched.allow(/net::ERR_|WebSocket connection to|status of (401|50\d)/);
    const page = await watched.page(`/servers/${home.id}/channels/${channelId}`, bob);
    await boxOf(page).waitFor();
    if (count > 0) await untilStill(page);
    return { alice, bob, home, channelId, watched, page };
  }

  /** Waits until everything written here is at the server. */
  async function untilSent(page: Page): Promise<void> {
    const waiting = page.locator("[data-state=pending]");
    await until(async () => (await waiting.count()) === 0, "something still waits to be sent");
  }

  /** All messages of the channel, oldest first. */
  async function all(reader: TestPerson, channelId: string): Promise<Message[]> {
    const pages: Message[] = [];
    for (let before = ""; ; ) {
      const { body, headers } = await reader.get<Message[]>(
        `/channels/${channelId}/messages?limit=100${before}`,
      );
      pages.push(...body);
      if (headers.get("x-has-more") !== "true") return pages.toReversed();
      before = `&before=${body.at(-1)?.id}`;
    }
  }

  /** Scrolls up through the list, and expects the newest of these without a gap, and each once. */
  async function expectAll(page: Page, expected: readonly Message[]): Promise<void> {
    const ids = expected.map(({ id }) => id);
    const seen = new Set<string>();
    await untilStill(page);
    // At the upper end it waits for older messages, however long they take.
    const isAtOldest = async () => {
      const drawn = await drawnIds(page);
      expect(new Set(drawn).size).toBe(drawn.length);
      const from = ids.indexOf(drawn[0] ?? "");
      // The row that Tab reaches is drawn wherever it is.
      const inSight = drawn.filter((id, i) => ids.indexOf(id) === from + i);
      expect(drawn.length - inSight.length).toBeLessThanOrEqual(1);
      for (const id of drawn) seen.add(id);
      await wheel(page, -600);
      return seen.has(ids[0] ?? "");
    };
    await until(isAtOldest, "the oldest one is not in the list");
    expect(ids.filter((id) => !seen.has(id))).toEqual([]);
  }

  test(
    "the network is cut for two hundred messages: the strip says so, what is written waits, and then all is there once",
    async () => {
      const { alice, bob, channelId, watched, page } = await talking(30);
      await watchEnd(page);
      relay.cut();
      for (let i = 0; i < 200; i++) await alice.say(channelId, `said meanwhile, ${i}`);
      await write(page, "written meanwhile");
      await page.locator("[data-state=pending]").getByText("written meanwhile").waitFor();
      const strip = page.getByRole("status", { name: "Connection" });
      await strip.getByText("1 message is waiting").waitFor();
      relay.restore();
      await untilConnected(strip);
      await page.locator("[data-message-id]").getByText("written meanwhile").waitFor();
      await untilSent(page);
      await untilStill(page);
      expect((await endWatched(page)).wasEmpty).toBe(false);
      await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      const there = await all(bob, channelId);
      expect(there).toHaveLength(231);
      await expectAll(page, there);
      await watched.close();
    },
    journey,
  );

  test(
    "the server is killed while messages are sent, and comes back: each is there once, in their order",
    async () => {
      const { bob, channelId, watched, page } = await talking(3);
      const texts = Array.from({ length: 8 }, (_, i) => `through the kill, ${i}`);
      for (const [i, text] of texts.entries()) {
        await write(page, text);
        if (i === 4) await server.kill();
      }
      await page.locator("[data-state=pending]").first().waitFor();
      await start();
      await page.evaluate(`dispatchEvent(new Event("online"))`);
      await untilSent(page);
      await until(async () => (await all(bob, channelId)).length === 11, "not all of them came");
      const there = await all(bob, channelId);
      expect(there.slice(3).map(({ content }) => content)).toEqual(texts);
      await page.locator(`[data-message-id="${there.at(-1)?.id}"]`).waitFor();
      await expectAll(page, there);
      await watched.close();
    },
    journey,
  );

  test(
    "what is written without a network survives a reload, and a session that ends, and goes out once",
    async () => {
      const { bob, home, channelId, watched, page } = await talking(3);
      await watched.context.setOffline(true);
      await write(page, "one, offline");
      await write(page, "two, offline");
      await page.locator("[data-state=pending]").nth(1).waitFor();
      await page.route(/channels\/.+\/messages$/, (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue(),
      );
      await watched.context.setOffline(false);
      await page.reload();
      await page.locator("[data-state=pending]").nth(1).waitFor();
      const signedOut = await bob.put("/auth/me/password", {
        current_password: bob.password,
        new_password: "another horse battery",
      });
      expect(signedOut.status).toBe(204);
      await page.unroute(/channels\/.+\/messages$/);
      await page.context().clearCookies();
      await page.reload();
      await page.getByRole("textbox", { name: "E-mail or username" }).fill(bob.username);
      await page.getByRole("textbox", { name: "Password" }).fill("another horse battery");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.locator("[data-message-id]").getByText("two, offline").waitFor();
      await untilSent(page);
      expect(new URL(page.url()).pathname).toBe(`/servers/${home.id}/channels/${channelId}`);
      bob.token = signedOut.headers.get("x-session-token") ?? bob.token;
      // The page may be between drawing the saved messages and sending them.
      await until(async () => (await all(bob, channelId)).length >= 5, "not all of them came");
      const contents = (await all(bob, channelId)).slice(3).map(({ content }) => content);
      expect(contents).toEqual(["one, offline", "two, offline"]);
      await watched.close();
    },
    journey,
  );

  test(
    "a sleep that no replay covers: the old rows stay, those in sight where they are, and what is missing comes",
    async () => {
      const { alice, bob, home, channelId, watched, page } = await talking(120);
      const asleep = async (role: string) => {
        relay.cut();
        // A change of permissions cannot be replayed.
        const given = await alice.giveRole(home.id, bob, 1795);
        expect(given.name).not.toBe(role);
        for (let i = 0; i < 130; i++) await alice.say(channelId, `asleep ${role} ${i}`);
        const first = (await all(bob, channelId)).at(-60);
        await alice.delete(`/messages/${first?.id}`);
        relay.restore();
        await page.evaluate(`dispatchEvent(new Event("online"))`);
      };
      await watchEnd(page);
      await asleep("at the bottom");
      await page.getByText("asleep at the bottom 129").waitFor();
      await untilStill(page);
      expect((await endWatched(page)).wasEmpty).toBe(false);
      await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);

      await wheel(page, -1500);
      await watchEnd(page);
      await watchRow(page, await firstInSight(page));
      const looked = page.waitForResponse(/messages\?around=/);
      await asleep("further up");
      await looked;
      await untilStill(page);
      expect((await endWatched(page)).wasEmpty).toBe(false);
      expect(await movedMost(page)).toBeLessThanOrEqual(1);
      await page.getByRole("button", { name: "Jump to present" }).click();
      await page.getByText("asleep further up 129").waitFor();
      await expectAll(page, await all(bob, channelId));
      await eventually(() => page.locator(list).count()).toBe(1);
      await watched.close();
    },
    journey,
  );
});
