// Two people in two browsers: one registers, the other has an account, and each reads what the other writes. And two
// people at one browser, where nothing is sent in the other's name.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { boxOf, holds, kept, keptNoMore } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { atBothAddresses, inChromium, journey, signIn } from "./scene.ts";

atBothAddresses("talking", (scene) => {
  test(
    "what was begun in another room is there whole after a reload: the text, and what it answers",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const recipes = { server_id: server.id, name: "recipes" };
      const { id } = (await alice.post<{ id: string }>("/channels", recipes)).body;
      const asked = await bob.say(id, "Is there soup?");
      const hers = await scene.watched();
      const page = await hers.page(`/servers/${server.id}/channels/${id}`, alice);
      const answers = page.getByText("Replying to bob Is there soup?");
      const row = page.locator(`[data-message-id="${asked.id}"]`);
      await row.hover();
      await row.getByRole("button", { name: "Reply" }).click();
      await answers.waitFor();
      await page.getByRole("textbox", { name: "Message #recipes" }).fill("Leek and potato");
      await kept(page, 'replyTo !== null && text === "Leek and potato"');
      await page.goto(new URL(`/servers/${server.id}/channels/${general.id}`, page.url()).href);
      await boxOf(page).waitFor();
      await page.getByRole("link", { name: "recipes" }).click();
      await page.getByRole("textbox", { name: "Message #recipes" }).waitFor();
      await holds(page, "Leek and potato");
      await answers.waitFor();
      await hers.close();
    },
    journey,
  );

  test(
    "Alice registers and makes a server; what Bob, who signed in, reads is what she writes, and the other way round",
    async () => {
      const bob = await scene.person("bob");
      const hers = await scene.watched();
      // Signed out: the browser reports the 401.
      hers.allow(/status of 401/);
      const alice = await hers.page("/");
      await alice.getByRole("link", { name: "Create an account" }).click();
      await alice.getByRole("textbox", { name: "E-mail" }).fill("alice@people.example");
      await alice.getByRole("textbox", { name: "Username" }).fill("alice");
      await alice.getByRole("textbox", { name: "Display name" }).fill("Alice");
      await alice.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
      await alice.getByRole("button", { name: "Create account" }).click();
      await alice.getByRole("button", { name: "Add a server" }).click();
      await alice.getByRole("textbox", { name: "Server name" }).fill("The kitchen");
      await alice.getByRole("button", { name: "Create server" }).click();
      await alice.getByRole("main", { name: "general" }).waitFor();

      const [, serverId = ""] = /servers\/([^/]+)/.exec(alice.url()) ?? [];
      const invite = await alice.evaluate<{ code: string }>(
        `fetch("/api/v1/invites", { method: "POST", headers: { "Content-Type": "application/json" }, body: ${JSON.stringify(JSON.stringify({ server_id: serverId }))} }).then((answer) => answer.json())`,
      );
      expect((await bob.post(`/invites/${invite.code}/join`)).status).toBe(200);

      const his = await scene.watched();
      his.allow(/status of 401/);
      const page = await his.page("/login");
      await signIn(page, bob);
      await page.getByRole("main", { name: "general" }).waitFor();

      await boxOf(alice).fill("Hello, Bob!");
      await boxOf(alice).press("Enter");
      await page.getByRole("article").filter({ hasText: "Hello, Bob!" }).waitFor();
      // The preloaded font is the one that the text is shown in.
      const fonts = `[...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family)`;
      await eventually(() => page.evaluate<string[]>(fonts)).toContain("Atkinson Hyperlegible Next");
      await boxOf(page).fill("Hello, Alice!");
      await page.getByRole("button", { name: "Send" }).click();
      await alice.getByRole("article").filter({ hasText: "Hello, Alice!" }).waitFor();
      await eventually(() => alice.locator("[data-state=pending]").count()).toBe(0);
      await hers.close();
      await his.close();
    },
    journey,
  );
});

inChromium("at one browser", (scene) => {
  async function home() {
    const { alice, bob, server } = await scene.twoPeople();
    const watched = await scene.watched();
    watched.allow(/status of 401|net::ERR_FAILED/);
    return { alice, bob, server, watched, path: `/servers/${server.id}/channels/${server.general.id}` };
  }

  async function signOut(page: Page) {
    await page.getByRole("button", { name: "You", exact: true }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  }

  test(
    "Bob signs in beside Alice's tab, which becomes his; what Alice had not sent does not go out as his",
    async () => {
      const { alice, bob, server, watched, path } = await home();
      const page = await watched.page(path, alice);
      await boxOf(page).waitFor();
      await page.route("**/messages", (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue(),
      );
      await boxOf(page).fill("a secret of Alice's");
      await boxOf(page).press("Enter");
      await page.locator("[data-state=pending]").waitFor();
      await boxOf(page).fill("and half of another");

      const other = await watched.page("/login");
      await signIn(other, bob);
      await boxOf(other).waitFor();
      await page.getByRole("button", { name: "You", exact: true, description: /bob/ }).waitFor();
      await page.unroute("**/messages");
      await boxOf(page).waitFor();
      await eventually(() => boxOf(page).inputValue()).toBe("");
      await boxOf(page).fill("here is Bob");
      await boxOf(page).press("Enter");
      await page.locator("[data-message-id]").filter({ hasText: "here is Bob" }).waitFor();
      const said = (await alice.get<{ content: string }[]>(`/channels/${server.general.id}/messages`)).body;
      expect(said.map(({ content }) => content)).toEqual(["here is Bob"]);
      await watched.close();
    },
    journey,
  );

  test(
    "who signs out is asked first when something is written in any channel; the other tab leaves as well",
    async () => {
      const { alice, watched, path } = await home();
      const page = await watched.page(path, alice);
      const other = await watched.page(path);
      await boxOf(other).fill("half a letter");
      // Drafts reach the other tab through the browser's database, a moment later; so does the news that one was sent.
      await kept(other, 'text === "half a letter"');
      await boxOf(page).waitFor();
      await signOut(page);
      const dialog = page.getByRole("dialog", { name: "Sign out" });
      await dialog.getByText("You have written something in a channel").waitFor();
      await dialog.getByRole("button", { name: "Stay", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await eventually(() => boxOf(other).inputValue()).toBe("half a letter");
      await boxOf(other).press("Enter");
      await page.locator("[data-message-id]").filter({ hasText: "half a letter" }).waitFor();
      await keptNoMore(other, "text");
      await signOut(page);
      for (const each of [page, other])
        await each.getByRole("textbox", { name: "E-mail or username" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
