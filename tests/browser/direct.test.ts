// Direct conversations in a real browser: from the card of a person to the first answer, and on a phone.
import { expect, test } from "bun:test";
import { expectNoBarriers } from "./axe.ts";
import { begin, listOf, tabOf, write } from "./conversing.ts";
import { later } from "./held.ts";
import { inChromium, journey } from "./scene.ts";
import { noMouse, phone } from "./touch.ts";
import { withoutWorker } from "./watched.ts";

inChromium("direct conversations", (scene) => {
  test(
    "Alice writes to Bob from his card; he sees it among the servers, opens it and answers",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const hers = await scene.open(alice, server, withoutWorker);
      const his = await scene.open(bob, server, withoutWorker);
      const members = hers.page.getByRole("complementary", { name: "Members" });
      await members.getByRole("button", { name: /^bob/ }).click();
      const card = hers.page.getByRole("dialog", { name: "Profile of bob" });
      await card.getByRole("button", { name: "Message", exact: true }).click();
      await card.waitFor({ state: "detached" });
      await hers.page.getByRole("main", { name: "bob", exact: true }).waitFor();
      await hers.page.getByText(`Your conversation with @${bob.username} begins here.`).waitFor();
      await write(hers.page, "bob", "Do you still have the pliers?");

      await tabOf(his.page, "1 unread").click();
      const conversations = listOf(his.page);
      await conversations.getByRole("link", { name: "alice, 1 unread" }).click();
      await his.page.getByRole("main", { name: "alice", exact: true }).waitFor();
      await his.page.getByRole("article").getByText("Do you still have the pliers?").waitFor();
      await conversations.getByRole("link", { name: "alice", exact: true }).waitFor();
      await write(his.page, "alice", "In my bag.");
      await hers.page.getByRole("article").getByText("In my bag.").waitFor();
      const link = listOf(hers.page).getByRole("link");
      expect(await link.getAttribute("aria-current")).toBe("page");
      await hers.watched.close();
      await his.watched.close();
    },
    journey,
  );

  test(
    "on a phone the list lies above the bottom bar, a conversation opens over it, and back leads there again",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const talk = await begin(alice, bob);
      const watched = await scene.watched({ ...phone, ...withoutWorker });
      const page = await watched.page(`/servers/${server.id}`, bob);
      await noMouse(page);
      await tabOf(page).waitFor();
      await alice.say(talk.id, "Are you there?");
      await tabOf(page, "1 unread").tap();
      await page.waitForURL(/\/direct$/);
      const link = page.getByRole("link", { name: "alice, 1 unread" });
      await link.waitFor();
      await expectNoBarriers(page, []);
      expect(await page.evaluate<string>(describedBy)).toMatch(/^Are you there\?.*\d\d:\d\d$/);
      await page.getByRole("link", { name: "Servers" }).waitFor();
      await link.tap();
      await page.getByRole("textbox", { name: "Message alice", exact: true }).waitFor();
      expect(await listOf(page).isVisible()).toBe(false);
      await page.getByRole("button", { name: "Back to conversations" }).tap();
      await page.getByRole("link", { name: /^alice/ }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a person whom Alice knows from her tenth server alone is found, too, without a rush, and stays while more is typed",
    async () => {
      const [alice, dora] = [await scene.person("alice"), await scene.person("dora")];
      for (let i = 1; i <= 10; i++) {
        const server = await alice.makeServer(`House ${i}`);
        if (i === 10) await alice.bringIn(server.id, dora);
      }
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/direct", alice);
      await page.getByRole("button", { name: "New conversation" }).first().click();
      const who = page.getByRole("combobox", { name: "Who", exact: true });
      await who.fill("d");
      await page.getByRole("option", { name: /^dora/ }).waitFor();
      const askedAt = await page.evaluate<number[]>(`performance.getEntriesByType("resource")
        .filter(({ name }) => name.endsWith("/members?q=d")).map(({ startTime }) => startTime)`);
      expect(askedAt).toHaveLength(10);
      expect((askedAt[8] ?? 0) - (askedAt[7] ?? 0)).toBeGreaterThan(500);
      const last = Promise.withResolvers<void>();
      let asked = 0;
      await page.route("**/members?q=do", (route) => {
        asked += 1;
        if (asked <= 8) return route.fallback();
        last.resolve();
        return new Promise<void>(() => {});
      });
      await who.fill("do");
      await last.promise;
      await page.evaluate(later);
      await page.getByRole("option", { name: /^dora/ }).waitFor();
      await watched.close();
    },
    journey,
  );
});

/** Returns the text that describes the only link of the list. */
const describedBy = `document.querySelector("nav[aria-label=Conversations] a").getAttribute("aria-describedby").split(" ")
  .map((id) => document.getElementById(id)?.textContent ?? "").join(" ")`;
