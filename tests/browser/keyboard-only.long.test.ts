// Whole sessions without a mouse: from registering to signing out, by keys alone. Every pointer is refused.
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { ByKeys } from "./by-keys.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inWholeChromium, journey, rowOf } from "./scene.ts";
import { village } from "./village.ts";

inWholeChromium("a page without a mouse", (scene) => {
  test(
    "Alice registers, makes a server and a channel, invites Bob, writes, answers, reacts, corrects, attaches and finds her way",
    async () => {
      const bob = await scene.person("bob");
      const watched = await scene.watched();
      // Nobody is signed in yet.
      watched.allow(/status of 401/);
      const keys = await ByKeys.open(watched, "/login");
      const { page } = keys;
      await keys.use(page.getByRole("link", { name: "Create an account" }));
      await keys.write("E-mail", "keys@people.example");
      await keys.write("Username", "keys");
      await keys.write("Display name", "Alice");
      await keys.write("Password", "correct horse battery");
      // The house is a separate page, which loads now and begins at its top.
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Where do you want to talk?" }).waitFor();
      await keys.write("Name of the new server", "The kitchen");
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "general" }).waitFor();
      const box = boxOf(page);
      await keys.expectAt(box);

      await keys.lookInto(page.getByRole("button", { name: "Add a server" }), page.getByRole("dialog"));
      const menu = page.getByRole("button", { name: "Server menu" });
      await keys.lookInto(menu, page.getByRole("menu"));
      await choose(keys, menu, "Invite people");
      const link = page.getByRole("textbox", { name: "Invite link" });
      await keys.expectAt(link);
      const code = (await link.inputValue()).split("/").at(-1) ?? "";
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await keys.expectAt(menu);
      const server = (await bob.post<{ id: string }>(`/invites/${code}/join`)).body;

      await choose(keys, menu, "Create channel");
      await keys.expectAt(page.getByRole("textbox", { name: "Channel name" }));
      await keys.type("recipes");
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "recipes" }).waitFor();
      await keys.expectAt(page.getByRole("textbox", { name: "Message #recipes" }));
      await page.keyboard.press("Control+k");
      await keys.expectAt(page.getByRole("combobox", { name: "Go to" }));
      await page.keyboard.press("Escape");
      await keys.expectAt(page.getByRole("textbox", { name: "Message #recipes" }));
      await page.keyboard.press("Control+k");
      await keys.expectAt(page.getByRole("combobox", { name: "Go to" }));
      await keys.type("gen");
      await page.getByRole("option", { name: /^general/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "general" }).waitFor();
      await keys.expectAt(box);

      const { body: channels } = await bob.get<{ id: string; name: string }[]>(
        `/channels?server_id=${server.id}`,
      );
      const generalId = channels.find(({ name }) => name === "general")?.id ?? "";
      await keys.type("Who cooks?");
      await keys.press("Enter");
      // A message that is still being sent cannot be edited.
      await page.locator("article:not([data-state])").filter({ hasText: "Who cooks?" }).waitFor();
      await keys.press("ArrowUp");
      const correction = page.getByRole("textbox", { name: "Edit message" });
      await keys.expectAt(correction);
      await page.keyboard.press("Escape");
      await correction.waitFor({ state: "detached" });
      await keys.expectFocus();
      await keys.tabTo(box);
      await keys.press("ArrowUp");
      await keys.expectAt(correction);
      await keys.press("Control+a");
      await keys.type("Who cooks tonight?");
      await page.keyboard.press("Enter");
      await correction.waitFor({ state: "detached" });
      await page.getByRole("article").filter({ hasText: "Who cooks tonight?" }).waitFor();
      await keys.expectFocus();

      const his = await bob.say(generalId, "I do, at eight.");
      const row = rowOf(page, his);
      await row.waitFor();
      await keys.tabTo(box);
      await keys.tabTo(row, "Shift+Tab");
      await keys.press("Shift+F10");
      await page.getByRole("menu", { name: "Message actions" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await keys.expectAt(row);
      await keys.lookInto(row, page.getByRole("dialog", { name: "Emoji" }), "+");
      await page.keyboard.press("+");
      await keys.expectAt(page.getByRole("combobox", { name: "Search emoji" }));
      await keys.type("tada");
      await page.getByRole("gridcell", { name: "party popper", selected: true }).waitFor();
      await page.keyboard.press("Enter");
      const reaction = row.getByRole("button", { name: "🎉 1", pressed: true });
      await reaction.waitFor();
      await keys.expectAt(row);
      await keys.press("r");
      await keys.expectAt(box);
      await page.getByText("Replying to bob").waitFor();
      await page.keyboard.press("Escape");
      await page.getByText("Replying to bob").waitFor({ state: "detached" });
      await keys.expectAt(box);
      await keys.tabTo(row, "Shift+Tab");
      await keys.press("r");
      await keys.type("Then I bring wine.");
      await keys.press("Enter");
      await page.getByRole("link", { name: "Reply to bob: I do, at eight." }).waitFor();

      const choosing = page.waitForEvent("filechooser");
      await keys.use(page.getByRole("button", { name: "Attach files" }));
      await (await choosing).setFiles({ name: "wine.txt", mimeType: "", buffer: Buffer.from("red") });
      await page.getByRole("button", { name: "Remove wine.txt" }).waitFor();
      await keys.tabTo(box);
      await keys.press("Enter");
      await page.getByRole("link", { name: "Download wine.txt" }).waitFor();
      await keys.expectAt(box);
      await until(
        async () =>
          (await bob.get<Message[]>(`/channels/${generalId}/messages?limit=1`)).body[0]?.attachments
            .length === 1,
        "the file was never posted",
      );
      const said = (await bob.get<Message[]>(`/channels/${generalId}/messages`)).body;
      expect(said.map(({ content }) => content)).toEqual([
        "",
        "Then I bring wine.",
        "I do, at eight.",
        "Who cooks tonight?",
      ]);
      await watched.close();
    },
    journey,
  );

  test(
    "Alice makes a role and gives it a right, changes her name and how the page looks, and signs out",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const watched = await scene.watched();
      const keys = await ByKeys.open(watched, `/servers/${server.id}/channels/${server.general.id}`, alice);
      const { page } = keys;
      await keys.expectAt(boxOf(page));
      await choose(keys, page.getByRole("button", { name: "Server menu" }), "Server settings");
      const nav = page.getByRole("navigation", { name: "Server settings" });
      await nav.waitFor();
      await keys.use(nav.getByRole("link", { name: "Roles" }));
      await page.getByRole("heading", { name: "Roles", exact: true }).waitFor();
      await keys.expectFocus();
      await keys.use(page.getByRole("button", { name: "New role" }));
      await page.getByRole("row", { name: /New role/ }).waitFor();
      await until(
        async () => (await page.getByRole("textbox", { name: "Name" }).inputValue()) === "New role",
        "the new role was not chosen",
      );
      await keys.write("Name", "Cooks");
      await keys.use(page.getByRole("switch", { name: "Kick members" }), "Space");
      await page.getByText("2 unsaved changes").waitFor();
      await keys.use(page.getByRole("button", { name: "Save changes" }));
      await page.getByText("2 unsaved changes").waitFor({ state: "detached" });
      await keys.expectFocus();
      await page.keyboard.press("Escape");
      await page.getByRole("main", { name: "general" }).waitFor();
      await keys.expectFocus();

      const you = page.getByRole("button", { name: "You" });
      await keys.lookInto(you, page.getByRole("menu"));
      await choose(keys, you, "Settings");
      await page.getByRole("heading", { name: "Profile", exact: true }).waitFor();
      await keys.write("Display name", "Alice of the kitchen");
      await keys.use(page.getByRole("button", { name: "Save changes" }));
      await page.getByText("1 unsaved change").waitFor({ state: "detached" });
      await keys.expectFocus();
      expect((await alice.get<{ display_name: string }>("/auth/me")).body.display_name).toBe(
        "Alice of the kitchen",
      );
      await keys.use(page.getByRole("link", { name: "Appearance" }));
      await page.getByRole("heading", { name: "Appearance", exact: true }).waitFor();
      await keys.tabTo(page.getByRole("radiogroup").first().getByRole("radio", { checked: true }));
      await keys.press("ArrowRight");
      await page.locator("html[data-theme]").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("main", { name: "general" }).waitFor();
      await keys.expectFocus();
      await choose(keys, you, "Sign out");
      await page.getByRole("heading", { name: "Welcome back" }).waitFor();
      await keys.expectFocus();
      await watched.close();
    },
    journey,
  );

  test(
    "Shift and Escape mark the server as read wherever the focus is, and end nothing that was begun there",
    async () => {
      const { alice, bob, server, garden } = await village(scene);
      const said = await alice.say(server.general.id, "Who cooks tonight?");
      const watched = await scene.watched();
      const keys = await ByKeys.open(watched, `/servers/${server.id}/channels/${server.general.id}`, alice);
      const { page } = keys;
      const row = rowOf(page, said);
      await row.waitFor();
      const expectRead = async () => {
        await bob.say(garden.id, `@${alice.username} come`);
        await eventually(() => page.title()).toBe("(1) general · The village");
        await page.keyboard.press("Shift+Escape");
        await eventually(() => page.title()).toBe("general · The village");
      };
      await keys.tabTo(row, "Shift+Tab");
      await expectRead();
      await keys.expectAt(row);
      await keys.press("r");
      await keys.expectAt(boxOf(page));
      await expectRead();
      await page.getByText("Replying to alice").waitFor();
      await keys.press("ArrowUp");
      const field = page.getByRole("textbox", { name: "Edit message" });
      await keys.expectAt(field);
      await expectRead();
      await keys.expectAt(field);
      await watched.close();
    },
    journey,
  );
});

/** Opens a menu and chooses an item, by the arrows and Enter. */
async function choose(keys: ByKeys, opener: Locator, name: string): Promise<void> {
  await keys.use(opener);
  const item = keys.page.getByRole("menuitem", { name });
  await item.waitFor();
  for (let presses = 0; presses < 30; presses++) {
    if ((await item.and(keys.page.locator(":focus")).count()) > 0) break;
    await keys.press("ArrowDown");
  }
  await keys.expectAt(item);
  await keys.page.keyboard.press("Enter");
}
