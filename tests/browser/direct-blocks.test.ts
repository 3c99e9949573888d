// A block between two people who talk: what each of them reads, and that nobody loses what they were writing.
import { expect, test } from "bun:test";
import { begin, listOf, threePeople, write } from "./conversing.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("a block", (scene) => {
  test(
    "leaves its maker what was being written, to be copied, and in the box again when it is taken back",
    async () => {
      const { alice, bob } = await scene.twoPeople();
      const talk = await begin(alice, bob);
      await bob.say(talk.id, "A rude word");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/direct/${talk.id}`, alice);
      const box = page.getByRole("textbox", { name: "Message bob", exact: true });
      await box.fill("I was about to answer");
      await page.getByRole("main").getByRole("button", { name: "bob", exact: true }).first().click();
      const card = page.getByRole("dialog", { name: "Profile of bob" });
      await card.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Block", exact: true }).click();
      await card.waitFor({ state: "detached" });
      await page.getByText("You block bob. Unblock them to write to them.").waitFor();
      expect(await box.count()).toBe(0);
      const left = page.getByRole("textbox", { name: "What you had written here" });
      expect(await left.inputValue()).toBe("I was about to answer");
      await page.getByText("A message of somebody whom you block.").waitFor();
      await listOf(page)
        .getByText("A message of somebody whom you block", { exact: true })
        .waitFor({ state: "attached" });
      expect(await page.getByText("A rude word").count()).toBe(0);
      await page.getByRole("main").getByRole("button", { name: "Unblock" }).click();
      await box.waitFor();
      expect(await box.inputValue()).toBe("I was about to answer");
      await page.getByRole("article").getByText("A rude word").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "is not told to the other: their message is refused with the server's sentence, kept, and sent once they may",
    async () => {
      const { alice, bob } = await scene.twoPeople();
      const talk = await begin(alice, bob);
      await alice.say(talk.id, "Hello");
      await alice.put(`/blocks/${bob.id}`);
      const refusal = await bob.post<{ error: string }>(`/channels/${talk.id}/messages`, { content: "Hm" });
      expect(refusal.status).toBe(403);
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 403/);
      const page = await watched.page(`/direct/${talk.id}`, bob);
      await page.getByRole("article").getByText("Hello").waitFor();
      await write(page, "alice", "What have I done?");
      const row = page.locator("[data-state=failed]");
      await row.getByText(refusal.body.error).waitFor();
      expect(await page.getByText(/block/i).count()).toBe(0);
      await alice.delete(`/blocks/${bob.id}`);
      await row.getByRole("button", { name: "Send again" }).click();
      await row.waitFor({ state: "detached" });
      await page.locator("article[data-message-id]").getByText("What have I done?").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "in a group hides what the blocked write, and lets the maker write on; a conversation with them says why it does not open",
    async () => {
      const { alice, bob, carol, server } = await threePeople(scene);
      const group = await begin(alice, bob, carol);
      await alice.put(`/blocks/${bob.id}`);
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 403/);
      // Both speak before the page knows whom she blocks: what Bob said counts until then.
      const haveSpoken = Promise.withResolvers<void>();
      await watched.context.route("**/api/v1/blocks", async (route) => {
        await haveSpoken.promise;
        await route.continue();
      });
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      const servers = page.getByRole("navigation", { name: "Servers" });
      await servers.getByRole("link", { name: "Direct messages", exact: true }).waitFor();
      await bob.say(group.id, "A rude word");
      await carol.say(group.id, "Now now");
      await servers.getByRole("link", { name: "Direct messages, 2 unread" }).waitFor();
      haveSpoken.resolve();
      await servers.getByRole("link", { name: "Direct messages, 1 unread" }).click();
      await listOf(page).getByRole("link", { name: "bob, carol, 1 unread" }).click();
      await page.getByRole("article").getByText("Now now").waitFor();
      expect(await page.getByText("A rude word").count()).toBe(0);
      await write(page, "bob, carol", "Thank you, Carol");
      await page.goto(`/servers/${server.id}/channels/${server.general.id}`);
      const members = page.getByRole("complementary", { name: "Members" });
      await members.getByRole("button", { name: /^bob/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Message", exact: true }).click();
      await page.getByText("You block this person. Take that back to write to them.").waitFor();
      await watched.close();
    },
    journey,
  );
});
