// A server's roles: creating and ordering by the owner, and what a moderator may do with them and with members.
import { expect, test } from "bun:test";
import type { Role } from "../../features/roles/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { until } from "../house/machine/waiting.ts";
import { comeIn, crowd } from "../house/scenes/crowd.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { furnished, rolesOf } from "./furnished-server.ts";
import { hasFocus, inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("roles of a server", (scene) => {
  test(
    "Olga makes, names, colours, orders and deletes roles; the order by keyboard alone; members come page by page",
    async () => {
      const { owner, server, listeners } = await furnished(scene, "Ubuntu");
      await comeIn(scene.house, server.id, await crowd(scene.house, owner, 120), listeners.id);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
      await page.getByRole("heading", { name: "Roles", exact: true }).waitFor();
      const keysHint = page.getByText("press Space");
      await keysHint.waitFor();
      await page.setViewportSize({ width: 360, height: 740 });
      await keysHint.waitFor({ state: "hidden" });
      await page.setViewportSize({ width: 1280, height: 720 });
      const rows = page.getByRole("grid", { name: "Roles" }).getByRole("row");
      await rows.filter({ hasText: "Listeners" }).getByText("120 people").waitFor();
      await rows.filter({ hasText: "Helpers" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Hands");
      await page.getByRole("radio", { name: "Violet" }).check();
      await page.getByRole("switch", { name: "Kick members" }).click();
      await page.getByText("3 unsaved changes").waitFor();
      await expectNoBarriers(page);
      // Looking at another role loses no changes.
      await rows.filter({ hasText: "Operators" }).click();
      await rows.filter({ hasText: "Hands" }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("3 unsaved changes").waitFor({ state: "detached" });
      const hands = (await rolesOf(owner, server.id)).find(({ name }) => name === "Hands");
      expect(hands?.color).toBe("#6a5bb0");
      expect(hands?.permissions).toBe(permission.MANAGE_MESSAGES | permission.KICK_MEMBERS);

      await page.getByRole("button", { name: "New role" }).click();
      await rows.filter({ hasText: "New role" }).waitFor();
      await until(
        async () => (await page.getByRole("textbox", { name: "Name" }).inputValue()) === "New role",
        "the new role was not chosen",
      );
      // Its name is what is written next, over the one that it has until then.
      await eventually(() => page.evaluate("document.activeElement.value")).toBe("New role");
      await page.keyboard.type("Given up");
      await eventually(() => page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Given up");
      await page.getByRole("button", { name: "Delete role" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete role" }).click();
      await rows.filter({ hasText: "Given up" }).waitFor({ state: "detached" });
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await until(() => hasFocus(page), "the focus was lost with the role");
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });

      await rows.filter({ hasText: "Listeners" }).focus();
      await page.keyboard.press("ArrowRight");
      await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Move Listeners");
      await page.keyboard.press("Space");
      // A row is picked up with the next frame: an earlier key would not move it.
      await eventually(() => page.evaluate<string>("document.activeElement.ariaLabel ?? ''")).toStartWith(
        "Insert",
      );
      // The first gap is below it, the next one above it.
      for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      const names = async () => (await rolesOf(owner, server.id)).map(({ name }) => name).join();
      await until(
        async () => (await names()) === "Listeners,Operators,Hands,@everyone",
        "the order did not change",
      );
      await until(
        async () => (await rows.first().textContent())?.includes("Listeners") ?? false,
        "the new order is not shown",
      );
      await until(() => hasFocus(page), "the focus was lost with the move");

      await page.getByRole("link", { name: "Members" }).click();
      const members = page.getByRole("list", { name: "Members" }).getByRole("listitem");
      for (const count of [50, 100]) {
        await until(async () => (await members.count()) === count, `there are not ${count} members`);
        await page.getByRole("button", { name: "Show more" }).click();
      }
      await until(async () => (await members.count()) === 123, "the last page is missing");
      await eventually(() => page.getByRole("button", { name: "Show more" }).count()).toBe(0);
      await until(() => hasFocus(page), "the focus was lost with the last page");
      await watched.close();
    },
    journey,
  );

  test(
    "a moderator hears it when there is no room for a role where they move it",
    async () => {
      const { owner, moderator, server, operators, helpers, listeners } = await furnished(scene, "Arch");
      const place = ({ id }: Role, position: number) =>
        owner.patch(`/servers/${server.id}/roles/${id}`, { position });
      for (const role of [helpers, listeners]) expect((await place(role, 1)).status).toBe(200);
      expect((await place(operators, 2)).status).toBe(200);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, moderator);
      await page.getByRole("grid", { name: "Roles" }).getByRole("row").nth(2).focus();
      await page.keyboard.press("ArrowRight");
      await eventually(() => page.evaluate<string>("document.activeElement.ariaLabel ?? ''")).toStartWith(
        "Move ",
      );
      await page.keyboard.press("Space");
      await eventually(() => page.evaluate<string>("document.activeElement.ariaLabel ?? ''")).toStartWith(
        "Insert",
      );
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.locator("[aria-live=polite]").getByText("There is no room for that").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "Marta, who moderates, sees what she may; what ranks above her is locked, and a refusal is said in place",
    async () => {
      const { owner, moderator, member, server, helpers, listeners } = await furnished(scene, "Debian");
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 403/);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, moderator);
      const nav = page.getByRole("navigation", { name: "Server settings" });
      await page.getByRole("heading", { name: "Roles", exact: true }).waitFor();
      await eventually(() => nav.getByRole("listitem").allTextContents()).toEqual([
        "Overview",
        "Roles",
        "Members",
        "Invites",
        "Bans",
        "Bots",
        "Events",
      ]);
      const rows = page.getByRole("grid", { name: "Roles" }).getByRole("row");
      await rows.filter({ hasText: "Operators" }).click();
      await page.getByText("This role does not rank below yours. Somebody").first().waitFor();
      await eventually(() => page.getByRole("button", { name: "Delete role" }).count()).toBe(0);
      await eventually(() => page.getByRole("button", { name: "Move Operators" }).isDisabled()).toBe(true);
      await rows.filter({ hasText: "Helpers" }).click();
      const administrator = page.getByRole("switch", { name: "Administrator" });
      await eventually(() => administrator.getAttribute("aria-disabled")).toBe("true");
      await administrator.press("Space");
      await eventually(() => administrator.getAttribute("aria-checked")).toBe("false");
      await expectNoBarriers(page);

      // The role rises above her meanwhile: the server refuses what the page still offers.
      await page.route("**/roles/*", async (route) => {
        await owner.patch(`/servers/${server.id}/roles/${helpers.id}`, { position: 40 });
        await route.continue();
      });
      await page.getByRole("textbox", { name: "Name" }).fill("Mine");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("That role does not rank below yours.").waitFor();
      await page.getByRole("button", { name: "Discard" }).click();

      await nav.getByRole("link", { name: "Members" }).click();
      await page.getByRole("heading", { name: "Members", exact: true }).waitFor();
      await page.getByRole("button", { name: "More for ben" }).waitFor();
      await eventually(() => page.getByRole("button", { name: "More for olga" }).count()).toBe(0);
      await page.getByRole("searchbox", { name: "Find a member" }).fill("be");
      await page.getByRole("listitem").filter({ hasText: "marta" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "More for ben" }).click();
      await page.getByRole("menuitem", { name: "Roles" }).click();
      const colour = page.locator("label", { hasText: "Listeners" }).locator("b");
      await eventually(() => colour.getAttribute("style")).toContain(listeners.color);
      await page.getByRole("switch", { name: "Listeners" }).click();
      await page.getByRole("button", { name: "Save roles" }).click();
      await page.getByRole("listitem").filter({ hasText: "Listeners" }).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "More for ben" }).click();
      await page.getByRole("menuitem", { name: "Ban" }).click();
      await page.getByRole("textbox", { name: "Reason" }).fill("Spam in every channel");
      await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("Nobody called “be” here").waitFor();
      await until(() => hasFocus(page), "the focus was lost with the member");

      await nav.getByRole("link", { name: "Bans" }).click();
      await page.getByText("Spam in every channel").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Lift ban of ben" }).click();
      await page.getByText("Nobody is banned.").waitFor();
      await until(() => hasFocus(page), "the focus was lost with the ban");
      await owner.bringIn(server.id, member);
      await watched.close();
    },
    journey,
  );
});
