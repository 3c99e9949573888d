// Unsent messages when more than the network fails: a server error, an ended session, a day that passes, a second tab,
// a closed page, and pages of messages that fail to load after a sleep.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { boxOf, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { linesStay } from "./postponed.ts";
import { throughRelay } from "./relayed.ts";
import { hasFocus, journey } from "./scene.ts";
import { Watched } from "./watched.ts";
import { drawnIds, endWatched, messages as list, untilStill, watchEnd, wheel } from "./watching-rows.ts";

throughRelay("what is not sent yet", (scene, relay) => {
  async function talking(count = 3) {
    const { alice, bob, server: home } = await scene.twoPeople("Ubuntu");
    const channelId = home.general.id;
    for (let i = 0; i < count; i++) await alice.say(channelId, `said before, ${i}`);
    await bob.post(`/servers/${home.id}/read`);
    await alice.post(`/servers/${home.id}/read`);
    const address = `/servers/${home.id}/channels/${channelId}`;
    const open = async (person: TestPerson) => {
      const watched = await Watched.open(scene.browser, relay().origin, {
        viewport: { width: 1280, height: 800 },
      });
      watched.allow(/net::ERR_|WebSocket connection to|status of (401|50\d)/);
      await watched.context.addInitScript(linesStay);
      const page = await watched.page(address, person);
      await page.locator(`${list} article`).first().waitFor();
      await untilStill(page);
      return { watched, page };
    };
    return { alice, bob, home, channelId, address, open };
  }

  /** The contents of all messages of the channel, oldest first. */
  async function contents(reader: TestPerson, channelId: string): Promise<string[]> {
    const { body } = await reader.get<Message[]>(`/channels/${channelId}/messages?limit=100`);
    return body.map(({ content }) => content).toReversed();
  }

  /** Answers the calls that post messages, as long as `answer` returns something. */
  async function answerPosts(page: Page, answer: (route: Route) => Promise<void> | undefined) {
    await page.route(/channels\/[^/]+\/messages$/, (route) => {
      const isPost = route.request().method() === "POST";
      return (isPost ? answer(route) : undefined) ?? route.continue();
    });
  }

  test(
    "a server with a fault: the message says so with the request, keeps its names, and goes out once when asked",
    async () => {
      const { bob, channelId, open } = await talking();
      const { watched, page } = await open(bob);
      let faults = 0;
      await answerPosts(page, (route) => {
        // The page retries once by itself; after that only its writer retries so soon.
        const wait = faults++ > 0 ? { retry_after: 300 } : {};
        const json = { error: "Something went wrong.", code: "internal", request_id: "4f1c", ...wait };
        return faults <= 2 ? route.fulfill({ status: 500, json }) : undefined;
      });
      await write(page, `a fault for @${bob.username}, see #general`);
      await write(page, "written behind it");
      const row = page.locator("[data-state=pending]").filter({ hasText: "a fault for" });
      await row.getByText(/^Not sent\. The server has a fault\./).waitFor();
      await row.getByText("request 4f1c").waitFor();
      await row.getByRole("button", { name: "@bob", exact: true }).waitFor();
      await row.getByRole("link", { name: "#general" }).waitFor();
      await eventually(() => row.getByRole("button", { name: "Discard" }).count()).toBe(1);
      await row.getByRole("button", { name: "Send again" }).click();
      await page.locator("[data-message-id]").getByText("written behind it").waitFor();
      await eventually(() => page.locator("[data-state]").count()).toBe(0);
      await eventually(() => hasFocus(page)).toBe(true);
      expect((await contents(bob, channelId)).slice(3)).toEqual([
        `a fault for @${bob.username}, see #general`,
        "written behind it",
      ]);
      await watched.close();
    },
    journey,
  );

  test(
    "a session that ends in the middle: what one types stays, what one sent waits, and goes out once one is in again",
    async () => {
      const { bob, channelId, open } = await talking();
      const { watched, page } = await open(bob);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await answerPosts(page, (route) => held.then(() => route.continue()));
      await write(page, "on its way");
      const box = boxOf(page);
      await box.fill("half a sentence");
      const changed = await bob.put("/auth/me/password", {
        current_password: bob.password,
        new_password: "another horse battery",
      });
      bob.token = changed.headers.get("x-session-token") ?? "";
      release();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Password" }).fill("another horse battery");
      await eventually(() => page.getByText("on its way").count()).toBe(0);
      await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.locator("[data-message-id]").getByText("on its way").waitFor();
      await dialog.waitFor({ state: "detached" });
      await eventually(() => box.inputValue()).toBe("half a sentence");
      expect((await contents(bob, channelId)).slice(3)).toEqual(["on its way"]);
      await watched.close();
    },
    journey,
  );

  test(
    "what is older than the server knows it again is not sent by itself: its writer sends or discards it, in all tabs",
    async () => {
      const { bob, channelId, address, open } = await talking();
      const { watched, page } = await open(bob);
      watched.allow(/status of 429/);
      // The first waits for its next try when the page is left: an attempt that ended then would be saved late.
      await answerPosts(page, (route) => {
        const json = { error: "Not so fast.", code: "rate_limited", retry_after: 300 };
        return route.fulfill({ status: 429, json });
      });
      for (const text of ["yesterday, one", "yesterday, two", "today"]) await write(page, text);
      await page.locator("[data-state=pending]").nth(2).waitFor();
      await page
        .locator("[data-state=pending]")
        .getByText(/^Not sent\./)
        .waitFor();
      await page.goto("about:blank");
      await page.goto("/manifest.webmanifest");
      await page.evaluate(`new Promise((done, failed) => {
        const opening = indexedDB.open("hearth-outbox");
        opening.onerror = failed;
        opening.onsuccess = () => {
          const change = opening.result.transaction("unsent", "readwrite");
          const store = change.objectStore("unsent");
          store.getAll().onsuccess = ({ target }) => {
            for (const each of target.result)
              if (each.content !== "today") store.put({ ...each, writtenAt: each.writtenAt - 25 * 3600_000 }, each.nonce);
          };
          change.oncomplete = () => { opening.result.close(); done(); };
          change.onabort = failed;
        };
      })`);
      await page.unroute(/channels\/[^/]+\/messages$/);
      await page.goto(address);
      await page.locator("[data-message-id]").getByText("today").waitFor();
      const other = await watched.context.newPage();
      await other.goto(address);
      for (const tab of [page, other]) {
        const failed = tab.locator("[data-state=failed]");
        await failed.nth(1).getByText("It was written more than a day ago").waitFor();
        await eventually(() => failed.count()).toBe(2);
      }
      expect((await contents(bob, channelId)).slice(3)).toEqual(["today"]);
      const rowOf = (tab: Page, text: string) => tab.locator("[data-state]").filter({ hasText: text });
      await rowOf(page, "yesterday, one").getByRole("button", { name: "Discard" }).click();
      await rowOf(other, "yesterday, one").waitFor({ state: "detached" });
      await rowOf(other, "yesterday, two").getByRole("button", { name: "Send again" }).click();
      await page.locator("[data-message-id]").getByText("yesterday, two").waitFor();
      await rowOf(page, "yesterday, two").waitFor({ state: "detached" });
      await page.reload();
      await page.locator("[data-message-id]").getByText("yesterday, two").waitFor();
      // The other tab may not have removed it from the database yet: the answer comes after the event.
      await eventually(() => page.locator("[data-state]").count()).toBe(0);
      expect((await contents(bob, channelId)).slice(3)).toEqual(["today", "yesterday, two"]);
      await watched.close();
    },
    journey,
  );

  test(
    "a moderator deletes a message of somebody else's and closes the page: it is deleted; Ctrl+Z brings another one back",
    async () => {
      const { alice, bob, channelId, open } = await talking();
      const his = await bob.say(channelId, "of Bob's");
      const stays = await bob.say(channelId, "this one stays");
      const { watched, page } = await open(alice);
      // A browser may drop requests of a closed page; `keepalive` is its only promise.
      await page.evaluate(`{
        const ask = window.fetch;
        window.fetch = (address, how) => {
          if (String(address).endsWith("/bulk-delete")) sessionStorage.setItem("promised", String(how?.keepalive));
          return ask(address, how);
        };
      }`);
      const row = (id: string) => page.locator(`[data-message-id="${id}"]`);
      await row(stays.id).focus();
      await page.keyboard.press("Delete");
      await row(stays.id).waitFor({ state: "detached" });
      await page.keyboard.press("Control+z");
      await row(stays.id).waitFor();
      await row(his.id).focus();
      await page.keyboard.press("Delete");
      await row(his.id).waitFor({ state: "detached" });
      await page.goto("about:blank");
      await until(
        async () => !(await contents(alice, channelId)).includes("of Bob's"),
        "the message is there still",
      );
      await page.goto("/");
      expect(await page.evaluate<string>(`sessionStorage.getItem("promised")`)).toBe("true");
      expect(await contents(alice, channelId)).toContain("this one stays");
      await watched.close();
    },
    journey,
  );

  test(
    "after a long sleep the pages cannot be had at first: the old rows stay, nothing new stands behind a gap, then all is there",
    async () => {
      const { alice, bob, home, channelId, open } = await talking(60);
      const { watched, page } = await open(bob);
      let refused = 0;
      await page.route(/\/messages\?/, (route) => (refused++ < 3 ? route.abort() : route.continue()));
      await watchEnd(page);
      relay().cut();
      await alice.giveRole(home.id, bob, 1795);
      for (let i = 0; i < 80; i++) await alice.say(channelId, `asleep ${i}`);
      relay().restore();
      await page.evaluate(`dispatchEvent(new Event("online"))`);
      await until(() => refused > 0, "the pages are not asked for");
      await alice.say(channelId, "awake");
      // A live region may contain the text, too, before its row is drawn.
      await page.getByRole("article").filter({ hasText: "awake" }).waitFor();
      const drawn = async () => {
        const { body } = await bob.get<Message[]>(`/channels/${channelId}/messages?limit=100`);
        const ids = body.map(({ id }) => id).toReversed();
        return (await drawnIds(page)).map((id) => ids.indexOf(id)).filter((at) => at >= 0);
      };
      await untilStill(page);
      expect((await endWatched(page)).wasEmpty).toBe(false);
      for (let i = 0; i < 6; i++) {
        const places = await drawn();
        const inSight = places.slice(0, -1);
        expect(inSight.every((place, n) => n === 0 || place === (inSight[n - 1] ?? 0) + 1)).toBe(true);
        await wheel(page, -700);
      }
      await watched.close();
    },
    journey,
  );
});
