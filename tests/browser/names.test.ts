// Accessible roles and names of the page, by which assistive technology and external tests find elements.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { GifProviderDouble } from "../doubles/gif-provider.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { eventually } from "./eventually.ts";
import { chooseAction, type Home, inChromium, journey, patienceMs } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** The names of all actions on one's own message, with their keys. */
const verbs = {
  React: "Plus",
  Reply: "R",
  Edit: "E",
  "Copy text": "C",
  "Copy link": "L",
  "Mark unread from here": "U",
  Delete: "Delete",
};

const gifs = new GifProviderDouble();

inChromium(
  "the names of the page",
  (scene) => {
    let alice: TestPerson;
    let bob: TestPerson;
    let server: Home;

    beforeAll(async () => {
      ({ alice, bob, server } = await scene.twoPeople());
    }, patienceMs);
    afterAll(() => gifs.stop());

    const channelOf = (id = server.general.id) => `/servers/${server.id}/channels/${id}`;
    const box = (page: Page, name = "general") => page.getByRole("textbox", { name: `Message #${name}` });

    test(
      "the pages of signing in and registering, and an invite, have their fields, buttons and links",
      async () => {
        const watched = await scene.watched(withoutWorker);
        watched.allow(/status of 401/);
        const page = await watched.page("/login");
        for (const name of ["E-mail or username", "Password"])
          await page.getByRole("textbox", { name, exact: true }).waitFor();
        for (const name of ["Sign in", "Sign in with a passkey"])
          await page.getByRole("button", { name, exact: true }).waitFor();
        for (const name of ["Create an account", "Forgot your password?"])
          await page.getByRole("link", { name, exact: true }).waitFor();
        // Browsers have no passkeys for IP addresses: the page leads to this machine's host name, where they have.
        watched.allow(/asked localhost/);
        const byPasskey = page.getByRole("button", { name: "Sign in with a passkey", exact: true });
        await page
          .getByText("Passkeys do not work at 127.0.0.1. This leads to localhost, where they do.")
          .waitFor();
        expect(await byPasskey.getAttribute("aria-describedby")).toBeTruthy();
        await byPasskey.click();
        await page.waitForURL(/^http:\/\/localhost:\d+\/login$/);
        await page.goto("/login");

        await page.goto("/register");
        for (const name of ["E-mail", "Username", "Display name", "Password"])
          await page.getByRole("textbox", { name, exact: true }).waitFor();
        await page.getByRole("button", { name: "Create account", exact: true }).waitFor();

        const invite = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
        await page.goto(`/invite/${invite.code}`);
        await page.getByRole("heading", { name: "The kitchen", exact: true }).waitFor();
        await page.getByRole("link", { name: "Create an account" }).waitFor();
        const carol = await scene.person("carol");
        const hers = await scene.watched(withoutWorker);
        const carols = await hers.page(`/invite/${invite.code}`, carol);
        await carols.getByRole("heading", { name: "The kitchen", exact: true }).waitFor();
        await carols.getByRole("button", { name: "Join", exact: true }).click();
        await carols.getByRole("main", { name: "general", exact: true }).waitFor();
        await hers.close();
        await watched.close();
      },
      journey,
    );

    test(
      "the shell has its navigations, with what is unread after the name; the own menu, the switcher, and the dialog of servers",
      async () => {
        const quiet = (await alice.post<{ id: string }>("/channels", { server_id: server.id, name: "quiet" }))
          .body;
        const loud = (await alice.post<{ id: string }>("/channels", { server_id: server.id, name: "loud" }))
          .body;
        await bob.post(`/servers/${server.id}/read`);
        const watched = await scene.watched(withoutWorker);
        const page = await watched.page(channelOf(), bob);
        const servers = page.getByRole("navigation", { name: "Servers", exact: true });
        const channels = page.getByRole("navigation", { name: "Channels", exact: true });
        await page.getByRole("main", { name: "general", exact: true }).waitFor();
        await servers.getByRole("link", { name: /^The kitchen/ }).waitFor();
        expect(await servers.getByRole("link").first().textContent()).toBe("Direct messages");
        await channels.getByRole("link", { name: "quiet", exact: true }).waitFor();
        await page.getByRole("complementary", { name: "Members", exact: true }).waitFor();

        await alice.say(quiet.id, "something new");
        for (let i = 0; i < 3; i++) await alice.say(loud.id, `@${bob.username} come here`);
        await channels.getByRole("link", { name: /^quiet,? unread$/ }).waitFor();
        await channels.getByRole("link", { name: /^loud,? 3 mentions$/ }).waitFor();
        await servers.getByRole("link", { name: /^The kitchen,? 3 mentions$/ }).waitFor();

        await page.getByRole("button", { name: "You", exact: true }).click();
        for (const name of ["Settings", "Set status", "Sign out"])
          await page.getByRole("menuitem", { name, exact: true }).waitFor();
        await page.keyboard.press("Escape");

        await page.getByRole("button", { name: "Add a server", exact: true }).click();
        const dialog = page.getByRole("dialog", { name: "Add a server" });
        for (const name of ["Server name", "Invite link or code"])
          await dialog.getByRole("textbox", { name, exact: true }).waitFor();
        for (const name of ["Create server", "Join server"])
          await dialog.getByRole("button", { name, exact: true }).waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });

        await page.keyboard.press("ControlOrMeta+k");
        const finder = page.getByRole("dialog", { name: "Go to", exact: true });
        await finder.getByRole("combobox", { name: "Go to", exact: true }).waitFor();
        await page.keyboard.press("Escape");
        await finder.waitFor({ state: "detached" });
        await watched.close();
      },
      journey,
    );

    test(
      "messages are articles with their ids in a list; what is new is parted off, and the present is one press away",
      async () => {
        const talk = (await alice.post<{ id: string }>("/channels", { server_id: server.id, name: "talk" }))
          .body;
        for (let i = 0; i < 30; i++) await alice.say(talk.id, `old ${i}`);
        await bob.post(`/servers/${server.id}/read`);
        const first = await alice.say(talk.id, "new 0");
        for (let i = 1; i < 60; i++) await alice.say(talk.id, `new ${i}`);
        const watched = await scene.watched(withoutWorker);
        const page = await watched.page(channelOf(talk.id), bob);
        const list = page.getByRole("list", { name: "Messages", exact: true });
        const row = list.getByRole("article").and(page.locator(`[data-message-id="${first.id}"]`));
        await row.waitFor();
        const name = (await row.getAttribute("aria-label")) ?? "";
        expect(name).toMatch(/^alice\b.*\d\d:\d\d/);
        await page.getByRole("separator", { name: "New messages", exact: true }).waitFor();
        await page.getByRole("button", { name: "Jump to present" }).click();
        await list.getByRole("article").filter({ hasText: "new 59" }).waitFor();
        await page.getByRole("button", { name: "Jump to present" }).waitFor({ state: "detached" });
        await watched.close();
      },
      journey,
    );

    test(
      "the composer has its buttons and keys: Enter, Shift+Enter, Up in an empty box, Escape",
      async () => {
        const watched = await scene.watched(withoutWorker);
        const page = await watched.page(channelOf(), alice);
        await box(page).waitFor();
        for (const name of ["Attach files", "Emoji", "GIF", "Send"])
          await page.getByRole("button", { name, exact: true }).waitFor();
        await box(page).click();
        await page.keyboard.type("one");
        await page.keyboard.press("Shift+Enter");
        await page.keyboard.type("two");
        await page.keyboard.press("Enter");
        const row = page.locator("article[data-message-id]").filter({ hasText: "two" });
        await row.waitFor();
        await eventually(() => box(page).inputValue()).toBe("");
        await until(
          async () => (await row.getByText("one").innerText()) === "one\ntwo",
          "it is not two lines",
        );

        await page.keyboard.press("ArrowUp");
        const edit = row.getByRole("textbox");
        await edit.waitFor();
        await eventually(() => edit.inputValue()).toBe("one\ntwo");
        await page.keyboard.press("Escape");
        await edit.waitFor({ state: "detached" });
        await page.keyboard.press("ArrowUp");
        await edit.fill("three");
        await page.keyboard.press("Enter");
        await page.locator("article[data-message-id]").filter({ hasText: "three" }).waitFor();

        const answered = page.locator("article[data-message-id]").filter({ hasText: "three" });
        await chooseAction(answered, "Reply");
        await page.getByText("Replying to").waitFor();
        await box(page).press("Escape");
        await page.getByText("Replying to").waitFor({ state: "detached" });
        await watched.close();
      },
      journey,
    );

    test(
      "a message has a toolbar of a few actions on hover and on focus, and all of them in its menus, their keys in no name",
      async () => {
        const theirs = await bob.say(server.general.id, "bob's to answer");
        const said = await alice.say(server.general.id, "mine to act on");
        const watched = await scene.watched(withoutWorker);
        const page = await watched.page(channelOf(), alice);
        const row = page.locator(`[data-message-id="${said.id}"]`);
        const bar = row.getByRole("toolbar", { name: "Message actions", exact: true });
        const emoji = [/^React with /, /^React with /, /^React with /];
        const expectBar = async (on: Locator, ...names: (string | RegExp)[]) => {
          await on.getByRole("button", { name: "More", exact: true }).waitFor();
          await eventually(() => on.getByRole("button").count()).toBe(names.length);
          for (const [at, name] of names.entries())
            await on
              .getByRole("button")
              .nth(at)
              .and(on.getByRole("button", { name, exact: true }))
              .waitFor();
        };
        await row.hover();
        await expectBar(bar, ...emoji, "React", "Edit", "More");
        await page.mouse.move(5, 5);
        await bar.waitFor({ state: "detached" });
        await box(page).focus();
        await page.keyboard.press("Shift+ArrowUp");
        await expectBar(bar, ...emoji, "React", "Edit", "More");
        const menu = page.getByRole("menu", { name: "Message actions", exact: true });
        for (const open of [
          () => bar.getByRole("button", { name: "More", exact: true }).click(),
          () => row.click({ button: "right" }),
        ]) {
          await open();
          await menu.waitFor();
          await eventually(() => menu.getByRole("menuitem").count()).toBe(Object.keys(verbs).length);
          for (const [name, keys] of Object.entries(verbs)) {
            const item = menu.getByRole("menuitem", { name, exact: true });
            expect(await item.getAttribute("aria-keyshortcuts")).toBe(keys);
          }
          await page.keyboard.press("Escape");
          await menu.waitFor({ state: "detached" });
        }
        const other = page.locator(`[data-message-id="${theirs.id}"]`);
        await page.mouse.move(5, 5);
        await row.press("ArrowUp");
        await bar.waitFor({ state: "detached" });
        await expectBar(
          other.getByRole("toolbar", { name: "Message actions" }),
          ...emoji,
          "React",
          "Reply",
          "More",
        );
        await watched.close();
      },
      journey,
    );
  },
  () => gifs.settings,
);
