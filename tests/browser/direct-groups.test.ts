// Groups, and the ways to a conversation, in a real browser: beginning, people, name, leaving; blocks; the switcher.
import { expect, test } from "bun:test";
import type { Conversation } from "../../features/channels/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { begin, choose, listOf, threePeople } from "./conversing.ts";
import { inChromium, journey, type Scene, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("conversations of several", (scene) => {
  test(
    "a group is begun, named, grown and left; its owner takes people out, and its link has its name",
    async () => {
      const { alice, bob, carol, dave } = await fourPeople(scene);
      const [hers, his] = [await scene.watched(withoutWorker), await scene.watched(withoutWorker)];
      const page = await hers.page("/direct", alice);
      await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "New conversation" }).first().click();
      const dialog = page.getByRole("dialog", { name: "New conversation", exact: true });
      for (const name of ["bob", "carol"]) await choose(page, name);
      await dialog.getByRole("button", { name: "Deselect bob" }).waitFor();
      await expectNoBarriers(page, [1280]);
      await dialog.getByRole("button", { name: "Start", exact: true }).click();
      await page.getByRole("main", { name: "bob, carol", exact: true }).waitFor();
      await page.getByRole("textbox", { name: "Message bob, carol", exact: true }).fill("Who opens?");
      await page.keyboard.press("Enter");

      const bobs = await his.page("/direct", bob);
      const theirs = listOf(bobs);
      await theirs.getByRole("link", { name: /^alice, carol/ }).click();
      await bobs.getByRole("article").getByText("Who opens?").waitFor();

      await page.getByRole("button", { name: "People", exact: true }).click();
      const people = page.getByRole("dialog", { name: "People", exact: true });
      await people.getByRole("textbox", { name: "Group name" }).fill("Saturday opening");
      await page.keyboard.press("Enter");
      await theirs.getByRole("link", { name: /^Saturday opening/ }).waitFor();
      const below = bobs.getByRole("status");
      await people.getByRole("button", { name: "Add people" }).click();
      await choose(page, "dave");
      await people.getByRole("button", { name: "Add", exact: true }).click();
      await people.getByRole("button", { name: "Remove dave" }).waitFor();
      await people.getByText("4 of 10").waitFor();
      await below.getByText("dave is in the group now").waitFor();
      await expectNoBarriers(page);
      await people.getByRole("button", { name: "Remove carol" }).click();
      await people.getByText("3 of 10").waitFor();
      expect(await conversationsOf(carol)).toEqual([]);
      expect(await conversationsOf(dave)).toEqual(["Saturday opening"]);
      await page.keyboard.press("Escape");
      await people.waitFor({ state: "detached" });

      await bobs.getByRole("button", { name: "People", exact: true }).click();
      const seen = bobs.getByRole("dialog", { name: "People", exact: true });
      expect(await seen.getByRole("button", { name: /^Remove/ }).count()).toBe(0);
      await seen.getByRole("button", { name: "Leave group" }).click();
      await bobs.getByRole("dialog", { name: "Leave Saturday opening?" }).waitFor();
      await bobs.getByRole("dialog").getByRole("button", { name: "Leave group" }).click();
      await theirs.getByRole("link").first().waitFor({ state: "detached" });
      await bobs.getByRole("heading", { name: "No conversations yet" }).waitFor();
      await page.getByText("2 people").waitFor();
      await hers.close();
      await his.close();
    },
    journey,
  );

  test(
    "who is put out of a group while it is open reads so, and what they had written stays to be copied",
    async () => {
      const { alice, bob, carol } = await fourPeople(scene);
      const group = await begin(alice, bob, carol);
      await alice.say(group.id, "all of us");
      const his = await scene.watched(withoutWorker);
      his.allow(/status of 404/);
      const page = await his.page(`/direct/${group.id}`, bob);
      await page.getByRole("textbox", { name: "Message alice, carol" }).fill("I was about to say");
      await alice.delete(`/channels/${group.id}/recipients/${bob.id}`);
      await page.getByRole("main", { name: "alice, carol is not here any more" }).waitFor();
      await page.getByText("I was about to say").waitFor();
      await page.getByRole("link", { name: "Back to your conversations" }).click();
      await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
      await his.close();
    },
    journey,
  );
});

inChromium("a conversation of two", (scene) => {
  test(
    "says who wrote in the title, is muted without a number, hidden, and comes back with the next message",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const talk = await begin(alice, bob);
      const { watched, page } = await scene.open(bob, server, withoutWorker);
      await alice.say(talk.id, "one");
      await untilSo(page, `document.title.startsWith("(1) alice wrote")`);
      await alice.say(talk.id, "two");
      const tab = page.getByRole("navigation", { name: "Servers" }).getByRole("link").first();
      await until(async () => (await tab.textContent())?.includes("2 unread") === true, "it does not count");
      const forever = "9999-12-31T23:59:59.999Z";
      await bob.put(`/channels/${talk.id}/notification-settings`, { muted_until: forever });
      await until(async () => (await tab.textContent())?.includes("unread") === false, "it counts the muted");
      await tab.click();
      const list = listOf(page);
      const link = list.getByRole("link", { name: "alice, unread", exact: true });
      await link.waitFor();
      await link.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Hide conversation" }).click();
      await link.waitFor({ state: "detached" });
      await alice.say(talk.id, "still there?");
      await list.getByRole("link", { name: /^alice/ }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "is begun from the menu of a member, found by the switcher, and says why nobody can write to whom they block",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const row = page.getByRole("complementary", { name: "Members" }).getByRole("button", { name: /^bob/ });
      await row.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Message", exact: true }).click();
      const box = page.getByRole("textbox", { name: "Message bob", exact: true });
      await box.fill("Hello");
      await box.press("Enter");
      await page.getByRole("article").getByText("Hello").waitFor();
      // The typing event may be sent a moment after she blocked him.
      watched.allow(/status of 403/);
      await alice.put(`/blocks/${bob.id}`);
      await page.getByText("You block bob. Unblock them to write to them.").waitFor();
      expect(await box.count()).toBe(0);
      await expectNoBarriers(page, [1280]);
      await page.getByRole("button", { name: "Unblock" }).click();
      await box.waitFor();

      await page.goto(`${scene.pageUrl}/servers/${server.id}/channels/${server.general.id}`);
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox", { name: "Go to" }).fill("bob");
      await page.getByRole("option", { name: /^bob/ }).first().click();
      await page.getByRole("main", { name: "bob", exact: true }).waitFor();
      const address = page.url();
      await page.getByRole("button", { name: "Conversation menu" }).click();
      await page.getByRole("menuitem", { name: "Hide conversation" }).click();
      await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
      // Its address goes on working.
      await page.goto(address);
      await page.getByRole("article").getByText("Hello").waitFor();
      await watched.close();
    },
    journey,
  );
});

async function fourPeople(scene: Scene) {
  const { server, ...people } = await threePeople(scene);
  const dave = await scene.person("dave");
  await people.alice.bringIn(server.id, dave);
  return { ...people, dave };
}

async function conversationsOf(person: TestPerson): Promise<(string | null)[]> {
  return (await person.get<Conversation[]>("/direct")).body.map(({ name }) => name);
}
