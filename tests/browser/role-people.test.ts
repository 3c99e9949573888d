// The people who hold a role: on the page of the role, where people are found by name, and on a person's card, with ticks.
import { expect, test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { furnished } from "./furnished-server.ts";
import { heldEvents, later } from "./held.ts";
import { composing } from "./keyboard.ts";
import { hasFocus, inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** The names of the roles that the member holds, in order of the alphabet. */
async function held(member: TestPerson, serverId: string): Promise<string[]> {
  const { body } = await member.get<{ name: string }[]>(`/servers/${serverId}/members/${member.id}/roles`);
  return body.map(({ name }) => name).sort();
}

/** Keeps from the page that the focused element is removed: Firefox and Safari send no event then. */
const removeInSilence = `{
  const { removeChild } = Node.prototype;
  let isRemoving = false;
  Node.prototype.removeChild = function (child) {
    isRemoving = true;
    try {
      return removeChild.call(this, child);
    } finally {
      isRemoving = false;
    }
  };
  for (const type of ["blur", "focusout"])
    addEventListener(type, (event) => isRemoving && event.stopImmediatePropagation(), true);
}`;

inChromium("people of a role", (scene) => {
  test(
    "Olga finds people for a role on its page and takes it away; switches say what comes from @everyone",
    async () => {
      const { owner, moderator, member, server } = await furnished(scene, "Fedora");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
      const rows = page.getByRole("grid", { name: "Roles" }).getByRole("row");
      await rows.filter({ hasText: "Helpers" }).click();
      await page.getByText("Nobody has this role yet.").waitFor();
      const add = page.getByRole("combobox", { name: "Add a member" });
      const people = page.getByRole("list", { name: "People with Helpers" }).getByRole("listitem");
      await add.fill("be");
      await page.getByRole("option", { name: /ben/ }).waitFor();
      // The keys of an input method give nothing.
      await page.evaluate(composing("Enter"));
      expect(await add.inputValue()).toBe("be");
      await page.getByRole("option", { name: /ben/ }).click();
      await people.filter({ hasText: "ben" }).waitFor();
      await eventually(() => held(member, server.id)).toEqual(["Helpers"]);
      await eventually(() => add.inputValue()).toBe("");
      // By keyboard, and beside the role that she has.
      await add.fill("mart");
      await page.getByRole("option", { name: /marta/ }).waitFor();
      await add.press("Enter");
      await people.filter({ hasText: "marta" }).waitFor();
      await eventually(() => held(moderator, server.id)).toEqual(["Helpers", "Operators"]);
      await rows.filter({ hasText: "Helpers" }).getByText("2 people").waitFor();
      await expectNoBarriers(page);

      // Members who have the role are not offered; changes by others are shown, too.
      await add.fill("be");
      await eventually(() => page.getByRole("option", { name: /ben/ }).count()).toBe(0);
      await add.fill("");
      await owner.put(`/servers/${server.id}/members/${moderator.id}/roles`, { role_ids: [] });
      await people.filter({ hasText: "marta" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Remove ben from Helpers" }).click();
      await page.getByText("Nobody has this role yet.").waitFor();
      await until(() => hasFocus(page), "the focus was lost with the last one");
      expect(await held(member, server.id)).toEqual([]);

      const fromEveryone = "Read messages and see who is in a voice room · from @everyone: on";
      await page.getByRole("button", { name: "New role" }).click();
      await page.getByText(fromEveryone).waitFor();
      await page.getByRole("switch", { name: "See channels" }).click();
      await page.getByText(fromEveryone).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Discard" }).click();
      await rows.filter({ hasText: "@everyone" }).click();
      await page.getByText("Everybody in the server has this role.").waitFor();
      await eventually(() => add.count()).toBe(0);
      await eventually(() => page.getByText("from @everyone").count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "Marta gives roles on a person's card with one tick each, but none that ranks above hers, and not to Olga",
    async () => {
      const { owner, moderator, member, server } = await furnished(scene, "Arch");
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(removeInSilence);
      const page = await watched.page(`/servers/${server.id}`, moderator);
      const members = page.getByRole("complementary", { name: "Members" });
      const cardOf = async (name: string) => {
        await members.getByRole("button", { name: new RegExp(`^${name} `) }).click();
        const card = page.getByRole("dialog", { name: `Profile of ${name}` });
        await card.getByRole("heading", { name }).waitFor();
        return card;
      };
      const card = await cardOf("ben");
      await card.getByRole("button", { name: "Add a role" }).click();
      const ticks = card.getByRole("listbox", { name: "Roles of ben" });
      for (const name of ["Listeners", "Helpers"]) await ticks.getByRole("option", { name }).click();
      await eventually(() => held(member, server.id)).toEqual(["Helpers", "Listeners"]);
      await card.getByRole("list", { name: "Roles" }).getByText("Helpers").waitFor();
      const operators = ticks.getByRole("option", { name: "Operators" });
      await eventually(() => operators.getAttribute("aria-disabled")).toBe("true");
      await expectNoBarriers(page, [1280]);
      await ticks.getByRole("option", { name: "Listeners" }).press("Space");
      await eventually(() => held(member, server.id)).toEqual(["Helpers"]);
      await eventually(() =>
        ticks.getByRole("option", { name: "Listeners" }).getAttribute("aria-selected"),
      ).toBe("false");
      await card.getByRole("button", { name: "Remove Helpers" }).click();
      await eventually(() => held(member, server.id)).toEqual([]);
      await card.getByRole("button", { name: "Remove Helpers" }).waitFor({ state: "detached" });
      await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Add a role");
      await page.keyboard.press("Escape");
      await card.waitFor({ state: "detached" });

      // The menu of a person has the same ticks, and stays open; a long name makes it no wider than others.
      const long = {
        name: "Keepers of the key ".repeat(4).trim(),
        permissions: 0,
        position: 5,
        color: "#b0562f",
      };
      await owner.post(`/servers/${server.id}/roles`, long);
      await members.getByRole("button", { name: /^ben / }).press("Shift+F10");
      await page.getByRole("menuitem", { name: "Roles" }).press("ArrowRight");
      const tick = (name: string) => page.getByRole("menuitemcheckbox", { name });
      // A role that comes moves the others.
      await tick(long.name).waitFor();
      for (const name of ["Listeners", "Helpers"]) await tick(name).click();
      await eventually(() => held(member, server.id)).toEqual(["Helpers", "Listeners"]);
      await eventually(() => tick("Helpers").getAttribute("aria-checked")).toBe("true");
      await eventually(() => tick("Operators").getAttribute("aria-disabled")).toBe("true");
      expect((await tick(long.name).boundingBox())?.width).toBeLessThanOrEqual(320);
      await expectNoBarriers(page, [1280]);
      await tick("Helpers").press("Enter");
      await eventually(() => held(member, server.id)).toEqual(["Listeners"]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await tick("Helpers").waitFor({ state: "detached" });

      const hers = await cardOf("olga");
      await eventually(() => hers.getByRole("button", { name: "Add a role" }).count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "a role given right before, of which the event is late, is kept by the next tick",
    async () => {
      const { owner, member, server } = await furnished(scene, "Delta");
      const watched = await scene.watched(withoutWorker);
      const letGo = await heldEvents(watched, "SERVER_MEMBER_UPDATE");
      const page = await watched.page(`/servers/${server.id}`, owner);
      await page
        .getByRole("complementary", { name: "Members" })
        .getByRole("button", { name: /^ben / })
        .click();
      const card = page.getByRole("dialog", { name: "Profile of ben" });
      await card.getByRole("button", { name: "Add a role" }).click();
      const ticks = card.getByRole("listbox", { name: "Roles of ben" });
      const tick = async (name: string) => {
        const answer = page.waitForResponse(`**/members/${member.id}/roles`);
        await ticks.getByRole("option", { name }).click();
        await (await answer).finished();
        await page.evaluate(later);
      };
      await tick("Listeners");
      await tick("Helpers");
      expect(await held(member, server.id)).toEqual(["Helpers", "Listeners"]);

      // A change by another device is newer than an answer that came before it.
      await owner.put(`/servers/${server.id}/members/${member.id}/roles`, { role_ids: [] });
      letGo();
      for (const name of ["Helpers", "Listeners"])
        await ticks.getByRole("option", { name, selected: false }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a person who gains a role stands on its page, though they could not be looked up at once",
    async () => {
      const { owner, member, server, helpers } = await furnished(scene, "Gentoo");
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 503/);
      let refused = 0;
      await watched.context.route(
        `**/members?*ids=${member.id}*`,
        (route) => {
          refused++;
          return route.fulfill({ status: 503 });
        },
        { times: 1 },
      );
      const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
      await page.getByRole("grid", { name: "Roles" }).getByRole("row").filter({ hasText: "Helpers" }).click();
      await page.getByText("Nobody has this role yet.").waitFor();
      await owner.put(`/servers/${server.id}/members/${member.id}/roles`, { role_ids: [helpers.id] });
      const people = page.getByRole("list", { name: "People with Helpers" }).getByRole("listitem");
      await people.filter({ hasText: "ben" }).waitFor();
      expect(refused).toBe(1);
      await watched.close();
    },
    journey,
  );
});
