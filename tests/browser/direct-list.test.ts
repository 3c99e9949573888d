// The list of direct conversations and their rooms: what is older than READY, what was hidden, and the beginning.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { begin, choose, listOf, tabOf, threePeople } from "./conversing.ts";
import { cutAnew } from "./cut-anew.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("the list of direct conversations", (scene) => {
  test(
    "brings those that are older than READY's at its end, and at its top when somebody writes there",
    async () => {
      const { alice, bob, carol } = await threePeople(scene);
      const oldest = [await begin(carol, alice, bob), await begin(carol, alice, bob)];
      for (const [i, { id }] of oldest.entries()) await carol.patch(`/channels/${id}`, { name: `Old ${i}` });
      for (let i = 0; i < limits.direct_in_ready_max; i++) await begin(carol, alice, bob);
      const watched = await scene.watched(withoutWorker);
      const cut = await cutAnew(watched);
      const page = await watched.page("/direct", alice);
      const links = listOf(page).getByRole("link");
      await eventually(() => links.count()).toBe(limits.direct_in_ready_max);
      await carol.say(oldest[0]?.id ?? "", "We were here first");
      await tabOf(page, "1 unread").waitFor();
      const first = listOf(page).getByRole("link", { name: "Old 0, 1 unread" });
      await first.waitFor();
      expect(await links.first().getAttribute("aria-label")).toBe("Old 0, 1 unread");
      await listOf(page).getByRole("button", { name: "More" }).click();
      await listOf(page).getByRole("link", { name: "Old 1" }).waitFor();
      await eventually(() => links.count()).toBe(limits.direct_in_ready_max + 2);
      expect(await listOf(page).getByRole("button").count()).toBe(0);
      await first.click();
      await page.getByRole("article").getByText("We were here first").waitFor();

      cut();
      await eventually(() => links.count()).toBe(limits.direct_in_ready_max);
      await listOf(page).getByRole("button", { name: "More" }).click();
      await eventually(() => links.count()).toBe(limits.direct_in_ready_max + 2);
      await watched.close();
    },
    journey,
  );

  test(
    "lets the next message bring back what was hidden while its page was closed, unread, and where it was left",
    async () => {
      const { alice, bob } = await scene.twoPeople();
      const talk = await begin(alice, bob);
      await alice.say(talk.id, "Before");
      const first = await scene.watched(withoutWorker);
      const page = await first.page(`/direct/${talk.id}`, bob);
      await page.getByRole("article").getByText("Before").waitFor();
      await page.getByRole("button", { name: "Conversation menu" }).click();
      await page.getByRole("menuitem", { name: "Hide conversation" }).click();
      await page.getByText("alice is hidden until somebody writes there").waitFor();
      await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
      await first.close();
      await alice.say(talk.id, "After");
      const second = await scene.watched(withoutWorker);
      const again = await second.page("/direct", bob);
      await listOf(again).getByRole("link", { name: "alice, 1 unread" }).click();
      await again.getByRole("article").getByText("After").waitFor();
      await again.getByRole("article").getByText("Before").waitFor();
      await again.getByRole("separator", { name: "New messages" }).waitFor();
      await second.close();
    },
    journey,
  );

  test(
    "a conversation that cannot be fetched is asked for again, by hand and with the next connection; only one that is not there is gone",
    async () => {
      const { alice, bob } = await scene.twoPeople();
      const talk = await begin(alice, bob);
      await alice.say(talk.id, "Soup?");
      await alice.delete(`/direct/${talk.id}`);
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of (404|503)/);
      let cut = () => {};
      await watched.context.routeWebSocket("**/ws", (near) => {
        near.connectToServer();
        cut = () => void near.close({ code: 4000 });
      });
      let isAway = true;
      let refused = 0;
      const json = { error: "The server is busy.", code: "unavailable" };
      await watched.context.route(`**/channels/${talk.id}`, async (route) => {
        if (!isAway) return route.fallback();
        await route.fulfill({ status: 503, json });
        refused += 1;
      });
      const page = await watched.page(`/direct/${talk.id}`, alice);
      const again = page.getByRole("main").getByRole("button", { name: "Try again" });
      await again.waitFor();
      const before = refused;
      await again.click();
      await eventually(async () => refused > before).toBe(true);
      await again.waitFor();
      expect(await page.getByText("There is nothing here").count()).toBe(0);
      isAway = false;
      await again.click();
      await page.getByRole("article").getByText("Soup?").waitFor();
      isAway = true;
      await page.reload();
      await again.waitFor();
      isAway = false;
      cut();
      await page.getByRole("article").getByText("Soup?").waitFor();
      await page.goto(`/direct/${bob.id}`);
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a press on a button below the found people counts, though the list of them closes",
    async () => {
      const { alice } = await threePeople(scene);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/direct", alice);
      await page.getByRole("button", { name: "New conversation" }).first().click();
      await choose(page, "bob");
      await page.getByRole("combobox", { name: "Who", exact: true }).fill("c");
      await page.getByRole("option", { name: /^carol/ }).waitFor();
      const start = page.getByRole("button", { name: "Start", exact: true });
      const { x, y, width, height } = (await start.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.up();
      await page.getByRole("main", { name: "bob", exact: true }).waitFor();
      await watched.close();
    },
    journey,
  );
});

inChromium("the room of a conversation", (scene) => {
  test(
    "begins above its first message with whom it is, at once in a short one and at the end of the way up in a long one",
    async () => {
      const { alice, bob, carol } = await threePeople(scene);
      const [short, long] = [await begin(alice, bob), await begin(alice, carol)];
      await alice.say(short.id, "Hello");
      for (let i = 0; i < 120; i++) await alice.say(long.id, `line ${i}`);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/direct/${short.id}`, alice);
      const title = (name: string) => page.getByRole("main").getByRole("heading", { level: 3, name });
      await page.getByRole("article").getByText("Hello").waitFor();
      await title("bob").waitFor();
      await page.getByText(`Your conversation with @${bob.username} begins here.`).waitFor();
      await listOf(page)
        .getByRole("link", { name: /^carol/ })
        .click();
      await page.getByRole("article").getByText("line 119").waitFor();
      expect(await title("carol").count()).toBe(0);
      await page.getByRole("article").getByText("line 119").hover();
      await eventually(async () => {
        await page.mouse.wheel(0, -10_000);
        return title("carol").isVisible();
      }).toBe(true);
      await page.getByRole("article").getByText("line 0", { exact: true }).waitFor();
      await watched.close();
    },
    journey,
  );
});
