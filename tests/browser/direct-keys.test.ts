// Direct conversations by keys alone: beginning one, moving between them and the servers, their menus, and hiding one.
import { expect, test } from "bun:test";
import { ByKeys } from "./by-keys.ts";
import { begin, listOf, tabOf, threePeople } from "./conversing.ts";
import { inWholeChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inWholeChromium("direct conversations without a mouse", (scene) => {
  test(
    "Alice finds Bob and writes to him, goes to Carol who has written, and hides what Bob answers",
    async () => {
      const { alice, bob, carol, server } = await threePeople(scene);
      const watched = await scene.watched(withoutWorker);
      const keys = await ByKeys.open(watched, `/servers/${server.id}/channels/${server.general.id}`, alice);
      const { page } = keys;
      await page.getByRole("main", { name: "general" }).waitFor();
      await keys.use(tabOf(page));
      await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
      await keys.use(page.getByRole("button", { name: "New conversation" }).first());
      const who = page.getByRole("combobox", { name: "Who", exact: true });
      await keys.expectAt(who);
      await keys.type("bob");
      await page.getByRole("option", { name: /^bob/ }).waitFor();
      await keys.press("Enter");
      await page.getByRole("button", { name: "Deselect bob" }).waitFor();
      await keys.expectAt(who);
      await keys.use(page.getByRole("button", { name: "Start", exact: true }));
      await page.getByRole("main", { name: "bob", exact: true }).waitFor();
      await keys.expectAt(page.getByRole("textbox", { name: "Message bob", exact: true }));
      await keys.type("Hello Bob");
      await keys.press("Enter");
      await page.getByRole("article").getByText("Hello Bob").waitFor();

      await carol.say((await begin(carol, alice)).id, "Hello Alice");
      await listOf(page).getByRole("link", { name: "carol, 1 unread" }).waitFor();
      await page.keyboard.press("Alt+Shift+ArrowDown");
      await page.getByRole("main", { name: "carol", exact: true }).waitFor();
      await page.keyboard.press("Alt+ArrowDown");
      await page.getByRole("main", { name: "bob", exact: true }).waitFor();
      const menu = page.getByRole("button", { name: "Conversation menu" });
      await keys.lookInto(menu, page.getByRole("menu"));

      const [first, second] = [listOf(page).getByRole("link").first(), listOf(page).getByRole("link").last()];
      await keys.tabTo(second);
      await keys.press("ArrowUp");
      await keys.expectAt(first);
      await keys.press("ArrowDown");
      await keys.expectAt(second);
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menu", { name: "Menu of bob" }).waitFor();
      await page.keyboard.press("End");
      const hide = page.getByRole("menuitem", { name: "Hide conversation" });
      await keys.expectAt(hide);
      await page.keyboard.press("Enter");
      await listOf(page).getByRole("link", { name: "bob" }).waitFor({ state: "detached" });
      await keys.expectFocus();

      await page.keyboard.press("Control+Alt+ArrowDown");
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.keyboard.press("Control+Alt+ArrowUp");
      await page.waitForURL(/\/direct/);
      const tab = page.getByRole("navigation", { name: "Servers" }).getByRole("link").first();
      expect(await tab.getAttribute("aria-current")).toBe("page");
      await bob.say((await begin(bob, alice)).id, "Hello again");
      await listOf(page).getByRole("link", { name: "bob, 1 unread" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "outside of servers the switcher finds who is in one, and opens the conversation with them",
    async () => {
      const { alice } = await threePeople(scene);
      const watched = await scene.watched(withoutWorker);
      const keys = await ByKeys.open(watched, "/direct", alice);
      const { page } = keys;
      await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
      await page.keyboard.press("Control+k");
      await keys.expectAt(page.getByRole("combobox", { name: "Go to" }));
      await keys.type("caro");
      await page.getByRole("option", { name: /^carol/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "carol", exact: true }).waitFor();
      await keys.expectAt(page.getByRole("textbox", { name: "Message carol", exact: true }));
      await watched.close();
    },
    journey,
  );
});
