// The settings of a server: what its owner, a moderator and a member see and do there, by mouse and by keyboard alone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Role } from "../../features/roles/contract.ts";
import type { ScheduledEvent } from "../../features/schedule/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { comeIn, crowd } from "../house/crowd.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import type { TestPerson } from "../house/people.ts";
import { until } from "../house/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { Watched } from "./watched.ts";

const patienceMs = 240_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";
const moderating = permission.MANAGE_SERVER | permission.KICK_MEMBERS | permission.BAN_MEMBERS;

describe.skipIf(!chromiumPath)(`settings of a server in Chromium${here}`, () => {
  let house: TestHouse;
  let browser: Browser;

  beforeAll(async () => {
    house = await makeHouse("SQLite", { AVATAR_URL: "off", RATE_LIMITS: "off" });
    await house.open();
    browser = await launchChromium();
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await house?.end();
  }, patienceMs);

  /** A server of three roles, with people in it. */
  async function furnished(name: string) {
    const [owner, moderator, member] = [
      await house.person("olga"),
      await house.person("marta"),
      await house.person("ben"),
    ];
    const server = await owner.makeServer(name);
    await owner.bringIn(server.id, moderator, member);
    const role = async (name: string, permissions: number, position: number) =>
      (
        await owner.post<Role>(`/servers/${server.id}/roles`, {
          name,
          permissions,
          position,
          color: "#b0562f",
        })
      ).body;
    const operators = await role("Operators", moderating, 30);
    const helpers = await role("Helpers", permission.MANAGE_MESSAGES, 20);
    const listeners = await role("Listeners", 0, 10);
    await owner.put(`/servers/${server.id}/members/${moderator.id}/roles`, { role_ids: [operators.id] });
    return { owner, moderator, member, server, operators, helpers, listeners };
  }

  test(
    "Olga makes, names, colours, orders and deletes roles; the order by keyboard alone; members come page by page",
    async () => {
      const { owner, server, listeners } = await furnished("Ubuntu");
      await comeIn(house, server.id, await crowd(house, owner, 120), listeners.id);
      const watched = await Watched.open(browser, house.url);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
      await page.getByRole("heading", { name: "Roles", exact: true }).waitFor();
      const rows = page.getByRole("grid", { name: "Roles" }).getByRole("row");
      await rows.filter({ hasText: "Listeners" }).getByText("120 people").waitFor();
      await rows.filter({ hasText: "Helpers" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Hands");
      await page.getByRole("radio", { name: "Violet" }).check();
      await page.getByRole("switch", { name: "Kick members" }).click();
      await page.getByText("3 unsaved changes").waitFor();
      await expectNoBarriers(page);
      // Another role can be looked at: nothing is lost.
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
      await page.getByRole("textbox", { name: "Name" }).fill("Given up");
      await page.getByRole("button", { name: "Delete role" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete role" }).click();
      await rows.filter({ hasText: "Given up" }).waitFor({ state: "detached" });
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await until(() => hasFocus(page), "the focus was lost with the role");
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });

      await rows.filter({ hasText: "Listeners" }).focus();
      await page.keyboard.press("ArrowRight");
      expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Move Listeners");
      await page.keyboard.press("Space");
      // The first gap is the one below it, the next the one above it.
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
      expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
      await until(() => hasFocus(page), "the focus was lost with the last page");
      await watched.close();
    },
    patienceMs,
  );

  test(
    "Marta, who moderates, sees what she may; what ranks above her is locked, and a refusal is said in place",
    async () => {
      const { owner, moderator, member, server, helpers } = await furnished("Debian");
      const watched = await Watched.open(browser, house.url);
      watched.allow(/status of 403/);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, moderator);
      const nav = page.getByRole("navigation", { name: "Server settings" });
      await page.getByRole("heading", { name: "Roles", exact: true }).waitFor();
      expect(await nav.getByRole("listitem").allTextContents()).toEqual([
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
      expect(await page.getByRole("button", { name: "Delete role" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Move Operators" }).isDisabled()).toBe(true);
      await rows.filter({ hasText: "Helpers" }).click();
      const administrator = page.getByRole("switch", { name: "Administrator" });
      expect(await administrator.getAttribute("aria-disabled")).toBe("true");
      await administrator.press("Space");
      expect(await administrator.getAttribute("aria-checked")).toBe("false");
      await expectNoBarriers(page);

      // Meanwhile the role rises above her: the server refuses what the page still offered.
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
      expect(await page.getByRole("button", { name: "More for olga" }).count()).toBe(0);
      await page.getByRole("searchbox", { name: "Find a member" }).fill("be");
      await page.getByRole("listitem").filter({ hasText: "marta" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "More for ben" }).click();
      await page.getByRole("menuitem", { name: "Roles" }).click();
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
    patienceMs,
  );

  test(
    "Ben, a member, finds who can do what he cannot, invites people, leaves; Olga hands the server over and it ends",
    async () => {
      const { owner, moderator, member, server } = await furnished("Fedora");
      const his = await Watched.open(browser, house.url);
      const lost = await his.page(`/servers/${member.id}/settings/roles`, member);
      await lost.getByRole("main", { name: "There is nothing here" }).waitFor();
      await lost.getByRole("link", { name: "Fedora" }).waitFor();
      await lost.close();
      const page = await his.page(`/servers/${server.id}/settings/roles`, member);
      await page.getByText("You may not use this page.").waitFor();
      const nav = page.getByRole("navigation", { name: "Server settings" });
      expect(await nav.getByRole("listitem").allTextContents()).toEqual(["Overview", "Bots", "Events"]);
      await nav.getByRole("link", { name: "Overview" }).click();
      await page.getByText("Only the owner of the server can change this.").first().waitFor();
      await expectNoBarriers(page);
      await page.getByRole("link", { name: "Back to Fedora" }).click();
      const menu = page.getByRole("button", { name: "Server menu" });
      await menu.click();
      await page.getByRole("menuitem", { name: "Invite people" }).click();
      await page.getByRole("combobox", { name: "How many can use it" }).selectOption("One person");
      await page.getByRole("button", { name: "Make link" }).click();
      const link = page.getByRole("textbox", { name: "Invite link" });
      expect(await link.inputValue()).toStartWith(`${house.url}/invite/`);
      await page.getByText(/Used 0 of 1 times · until/).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Done", exact: true }).click();
      await menu.click();
      await page.getByRole("menuitem", { name: "Leave server" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Leave server" }).click();
      await page.getByRole("link", { name: "Fedora" }).waitFor({ state: "detached" });
      await his.close();

      const hers = await Watched.open(browser, house.url);
      hers.allow(/status of 400/);
      const olga = await hers.page(`/servers/${server.id}/settings/overview`, owner);
      await olga.getByRole("textbox", { name: "Icon" }).fill("not an address");
      await olga.getByRole("button", { name: "Save changes" }).click();
      await olga.getByText("must be an http or https address").first().waitFor();
      expect(await olga.getByRole("textbox", { name: "Icon" }).inputValue()).toBe("not an address");
      await olga.getByRole("textbox", { name: "Icon" }).fill("");
      await olga.getByRole("textbox", { name: "Name" }).fill("Fedora Core");
      await olga.getByRole("button", { name: "Save changes" }).click();
      await olga.getByRole("link", { name: "Back to Fedora Core" }).waitFor();
      await olga.getByRole("button", { name: "Hand over server" }).click();
      await olga.getByRole("searchbox", { name: "Find a member" }).fill("mart");
      await olga.getByRole("radio", { name: /marta/ }).check();
      await expectNoBarriers(olga);
      await olga.getByRole("button", { name: "Hand over to marta" }).click();
      await olga.getByRole("dialog").waitFor({ state: "detached" });
      await olga.getByText("Only the owner of the server can change this.").first().waitFor();
      expect(await olga.getByRole("button", { name: "Delete server" }).count()).toBe(0);

      const theirs = await Watched.open(browser, house.url);
      const marta = await theirs.page(`/servers/${server.id}/settings/overview`, moderator);
      await marta.getByRole("button", { name: "Delete server" }).click();
      const end = marta.getByRole("dialog").getByRole("button", { name: "Delete server" });
      expect(await end.getAttribute("aria-disabled")).toBe("true");
      await marta.getByRole("textbox", { name: "Type “Fedora Core” to go on" }).fill("Fedora Core");
      await expectNoBarriers(marta);
      await end.click();
      await marta.waitForURL("/");
      await marta.getByRole("link", { name: "Fedora Core" }).waitFor({ state: "detached" });
      await olga.getByRole("navigation", { name: "Server settings" }).waitFor({ state: "detached" });
      await hers.close();
      await theirs.close();
    },
    patienceMs,
  );

  test(
    "What is shown once is shown once: an invite's link, a webhook's address that is tried, a bot's token",
    async () => {
      const { owner, server } = await furnished("Arch");
      const watched = await Watched.open(browser, house.url);
      watched.allow(/net::ERR_FAILED/);
      await watched.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await watched.page(`/servers/${server.id}/settings/invites`, owner);
      const nav = page.getByRole("navigation", { name: "Server settings" });
      await page.getByRole("button", { name: "New invite" }).click();
      await page.getByRole("combobox", { name: "Expires after" }).selectOption("Never");
      await page.getByRole("button", { name: "Make link" }).click();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const url = await page.getByRole("textbox", { name: "Invite link" }).inputValue();
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(url);
      await page.getByRole("button", { name: "Done", exact: true }).click();
      const code = url.split("/").at(-1) ?? "";
      await page.getByRole("listitem").filter({ hasText: code }).getByText("never expires").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: `Revoke ${code}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("listitem").filter({ hasText: code }).waitFor({ state: "detached" });
      await until(() => hasFocus(page), "the focus was lost with the invite");

      await nav.getByRole("link", { name: "Webhooks" }).click();
      await page.getByText("This channel has no webhooks.").waitFor();
      await page.getByRole("button", { name: "New webhook" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Builds");
      await page.keyboard.press("Escape");
      await page.getByText("What you typed here would be lost.").waitFor();
      await page.keyboard.press("Enter");
      // Without a network it says so, and what was typed stays.
      await page.route("**/webhooks", (route) => route.abort());
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByText("The server cannot be reached.").waitFor();
      expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Builds");
      await page.unroute("**/webhooks");
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByText("You will not see this again.").waitFor();
      expect(await page.getByRole("textbox", { name: "Address" }).inputValue()).toContain("/webhooks/");
      await page.getByRole("button", { name: "Send a test message" }).click();
      const messages = async () =>
        (await owner.get<{ content: string }[]>(`/channels/${server.general.id}/messages`)).body;
      await until(
        async () => (await messages()).some(({ content }) => content === "This webhook works."),
        "the webhook posted nothing",
      );
      await expectNoBarriers(page);
      await page.reload();
      await page.getByRole("listitem").filter({ hasText: "Builds" }).waitFor();
      expect(await page.getByRole("textbox", { name: "Address" }).count()).toBe(0);

      await nav.getByRole("link", { name: "Bots" }).click();
      await page.getByRole("button", { name: "New bot" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("ubottu");
      await page.getByRole("button", { name: "Create bot" }).click();
      const token = page.getByRole("textbox", { name: "Token of ubottu" });
      expect(await token.inputValue()).toStartWith("hb_");
      await page.getByRole("button", { name: "Add ubottu to this server" }).click();
      await page.getByRole("button", { name: "Remove ubottu" }).waitFor();
      await page.getByText("Commands", { exact: true }).click();
      await page.getByRole("button", { name: "New command" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("/factoid");
      await page.getByRole("button", { name: "Offer command" }).click();
      await page.getByRole("button", { name: "Withdraw /factoid" }).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "More for ubottu" }).click();
      await page.getByRole("menuitem", { name: "New token" }).click();
      const before = await token.inputValue();
      await page.getByRole("dialog").getByRole("button", { name: "New token" }).click();
      await until(async () => (await token.inputValue()) !== before, "the token did not change");
      await page.getByRole("button", { name: "Remove ubottu" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove bot" }).click();
      await page.getByText("No bot is in this server.").waitFor();
      await until(() => hasFocus(page), "the focus was lost with the bot");
      await watched.close();
    },
    patienceMs,
  );

  test(
    "Marta plans in her own time zone; Ben says whether he comes, from the menu of the server",
    async () => {
      const { owner, moderator, member, server } = await furnished("Mint");
      const second = await owner.post<{ id: string }>("/channels", { server_id: server.id, name: "help" });
      const hers = await Watched.open(browser, house.url, { timezoneId: "Asia/Tokyo" });
      const page = await hers.page(`/servers/${server.id}/settings/events`, moderator);
      await page.getByText("Nothing is planned.").waitFor();
      await page.getByRole("button", { name: "Plan an event" }).click();
      await page.getByRole("textbox", { name: "Title" }).fill("Release party");
      await page.getByLabel("Begins").fill("2031-04-23T18:30");
      await page.getByLabel("Ends (if that is known)").fill("2031-04-23T18:00");
      await page.getByText("The end has to come after the beginning.").first().waitFor();
      await page.getByLabel("Ends (if that is known)").fill("2031-04-23T20:00");
      await page.getByText("Times are in your time zone: Asia/Tokyo, GMT+9.").last().waitFor();
      await page.getByRole("combobox", { name: "Where" }).selectOption("# general");
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Plan event", exact: true }).click();
      await page.getByText(/23 April 2031.*18:30.*20:00/).waitFor();
      const [event] = (await member.get<ScheduledEvent[]>(`/servers/${server.id}/events`)).body;
      expect(event?.starts_at).toBe("2031-04-23T09:30:00.000Z");
      await expectNoBarriers(page);

      const his = await Watched.open(browser, house.url, { timezoneId: "Europe/Berlin" });
      const ben = await his.page(`/servers/${server.id}`, member);
      await ben.getByRole("button", { name: "Server menu" }).click();
      await ben.getByRole("menuitem", { name: "Events" }).click();
      await ben.getByText(/23 April 2031.*11:30.*13:00/).waitFor();
      await ben.getByRole("button", { name: "Going 0", exact: true }).click();
      await ben.getByRole("button", { name: "Going 1", exact: true, pressed: true }).waitFor();
      await ben.getByRole("button", { name: "Maybe 0" }).click();
      await ben.getByRole("button", { name: "Maybe 1", pressed: true }).waitFor();
      expect(await ben.getByRole("button", { name: "Change Release party" }).count()).toBe(0);
      await expectNoBarriers(ben);
      await ben.goto(`/servers/${server.id}/channels/${second.body.id}`);
      await ben.getByRole("button", { name: "Server menu" }).click();
      await ben.getByRole("menuitem", { name: "Events" }).click();
      await ben.getByRole("link", { name: "in #general" }).click();
      await ben.getByRole("main", { name: "general" }).waitFor();
      await ben.getByRole("dialog").waitFor({ state: "detached" });
      await his.close();

      await page.getByRole("button", { name: "Change Release party" }).click();
      await page.getByRole("textbox", { name: "Title" }).fill("Release feast");
      await page.getByRole("button", { name: "Save event" }).click();
      await page.getByRole("button", { name: "Maybe 1" }).waitFor();
      await page.getByRole("button", { name: "Call off Release feast" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Call off event" }).click();
      await page.getByText("Nothing is planned.").waitFor();
      await until(() => hasFocus(page), "the focus was lost with the event");
      await hers.close();
    },
    patienceMs,
  );
});

async function rolesOf(person: TestPerson, serverId: string): Promise<Role[]> {
  return (await person.get<Role[]>(`/servers/${serverId}/roles`)).body;
}

function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate("document.activeElement !== document.body");
}
