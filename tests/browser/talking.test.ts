// Two people in two browsers: one registers, the other is there already, and what one says the other reads.
import { expect, test } from "bun:test";
import { boxOf, holds, kept } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { atBothAddresses, journey, signIn } from "./scene.ts";

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
      // Nobody is signed in yet, which the browser reports of the call that asks.
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
      // The font that comes ahead of the page is the one in which it is read.
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
