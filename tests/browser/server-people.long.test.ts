// A server's members and owner: inviting, leaving, handing over; and secrets that are shown only once.
import { expect, test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { copiedText } from "./clipboard.ts";
import { colourOf, styleOf } from "./computed.ts";
import { eventually } from "./eventually.ts";
import { furnished } from "./furnished-server.ts";
import { hasFocus, inChromium, journey } from "./scene.ts";

inChromium("people of a server", (scene) => {
  test(
    "Ben, a member, finds who can do what he cannot, invites people, leaves; Olga hands the server over and it ends",
    async () => {
      const { owner, moderator, member, server } = await furnished(scene, "Fedora");
      const his = await scene.watched();
      const lost = await his.page(`/servers/${member.id}/settings/roles`, member);
      await lost.getByRole("main", { name: "There is nothing here" }).waitFor();
      await lost.getByRole("link", { name: "Fedora" }).waitFor();
      await lost.close();
      const page = await his.page(`/servers/${server.id}/settings/roles`, member);
      await page.getByText("You may not use this page.").waitFor();
      const nav = page.getByRole("navigation", { name: "Server settings" });
      await eventually(() => nav.getByRole("listitem").allTextContents()).toEqual([
        "Overview",
        "Bots",
        "Events",
      ]);
      await nav.getByRole("link", { name: "Overview" }).click();
      await page.getByText("Only the owner of the server can change this.").first().waitFor();
      await expectNoBarriers(page);
      await page.getByRole("link", { name: "Back to Fedora" }).click();
      const menu = page.getByRole("button", { name: "Server menu" });
      await menu.click();
      await page.getByRole("menuitem", { name: "Invite people" }).click();
      await page.getByRole("button", { name: "Change", exact: true }).click();
      await page.getByRole("combobox", { name: "How many can use it" }).selectOption("One person");
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Create link" }).click();
      const link = page.getByRole("textbox", { name: "Invite link" });
      await eventually(() => link.inputValue()).toStartWith(`${scene.url}/invite/`);
      await page.getByText("Good for 7 days, for one person.").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Done", exact: true }).click();
      await menu.click();
      await page.getByRole("menuitem", { name: "Leave server" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Leave server" }).click();
      await page.getByRole("link", { name: "Fedora" }).waitFor({ state: "detached" });
      await his.close();

      const hers = await scene.watched();
      hers.allow(/status of 400/);
      const olga = await hers.page(`/servers/${server.id}/settings/overview`, owner);
      // A refused name stays in the field, with the reason.
      const refused = "Fed\u202eora";
      await olga.getByRole("textbox", { name: "Name" }).fill(refused);
      await olga.getByRole("button", { name: "Save changes" }).click();
      await olga.getByText("must not hold invisible or direction-changing").first().waitFor();
      await eventually(() => olga.getByRole("textbox", { name: "Name" }).inputValue()).toBe(refused);
      await olga.getByRole("textbox", { name: "Name" }).fill("Fedora Core");
      await olga.getByRole("button", { name: "Save changes" }).click();
      await olga.getByRole("link", { name: "Back to Fedora Core" }).waitFor();
      // It cannot be taken back any more than deleting can, and looks like that.
      const opener = olga.getByRole("button", { name: "Hand over server" });
      const danger = await styleOf(olga.getByRole("button", { name: "Delete server" }), "color");
      await eventually(() => styleOf(opener, "color")).toBe(danger);
      await opener.click();
      await olga.getByRole("searchbox", { name: "Find a member" }).fill("mart");
      await olga.getByRole("radio", { name: /marta/ }).check();
      await expectNoBarriers(olga);
      const giving = olga.getByRole("button", { name: "Hand over to marta" });
      // The owner cannot undo it, so the button looks like the one that deletes.
      expect(await styleOf(giving, "backgroundColor")).toBe(await colourOf(olga, "--danger"));
      await giving.click();
      await olga.getByRole("dialog").waitFor({ state: "detached" });
      await olga.getByText("Only the owner of the server can change this.").first().waitFor();
      await eventually(() => olga.getByRole("button", { name: "Delete server" }).count()).toBe(0);

      const theirs = await scene.watched();
      const marta = await theirs.page(`/servers/${server.id}/settings/overview`, moderator);
      await marta.getByRole("button", { name: "Delete server" }).click();
      const end = marta.getByRole("dialog").getByRole("button", { name: "Delete server" });
      await eventually(() => end.getAttribute("aria-disabled")).toBe("true");
      await marta.getByRole("textbox", { name: "Type “Fedora Core” to go on" }).fill("Fedora Core");
      await expectNoBarriers(marta);
      await end.click();
      await marta.waitForURL("/");
      await marta.getByRole("link", { name: "Fedora Core" }).waitFor({ state: "detached" });
      await olga.getByRole("navigation", { name: "Server settings" }).waitFor({ state: "detached" });
      await hers.close();
      await theirs.close();
    },
    journey,
  );

  test(
    "A page of members that comes when others are looked for by now is not put among them",
    async () => {
      const { owner, server } = await furnished(scene, "Slackware");
      const watched = await scene.watched();
      const held = Promise.withResolvers<void>();
      let body = "";
      await watched.context.route(/\/members\?limit=50/, async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), "x-has-more": "true" };
        if (!route.request().url().includes("after=")) body = await response.text();
        else await held.promise;
        await route.fulfill({ response, headers, body });
      });
      const page = await watched.page(`/servers/${server.id}/settings/members`, owner);
      const members = page.getByRole("list", { name: "Members" }).getByRole("listitem");
      await members.filter({ hasText: "marta" }).waitFor();
      await page.getByRole("button", { name: "Show more" }).click();
      await page.getByRole("searchbox", { name: "Find a member" }).fill("ben");
      await members.filter({ hasText: "marta" }).waitFor({ state: "detached" });
      const late = page.waitForResponse(/after=/);
      held.resolve();
      await (await late).finished();
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
      expect(await members.count()).toBe(1);

      await watched.context.route(/\/members\?q=/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), "x-has-more": "true" } });
      });
      await page.getByRole("searchbox", { name: "Find a member" }).fill("marta");
      await members.filter({ hasText: "marta" }).waitFor();
      await page.getByText("There may be more matches.").waitFor();
      await eventually(() => page.getByRole("button", { name: "Show more" }).count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "What is shown once is shown once: an invite's link, a webhook's address that is tried, a bot's token",
    async () => {
      const { owner, server } = await furnished(scene, "Arch");
      const watched = await scene.watched();
      watched.allow(/net::ERR_FAILED/);
      await watched.context.grantPermissions(["clipboard-write"]);
      const page = await watched.page(`/servers/${server.id}/settings/invites`, owner);
      const nav = page.getByRole("navigation", { name: "Server settings" });
      await page.getByRole("button", { name: "New invite" }).click();
      await page.getByText("Good for 7 days, for anybody.").waitFor();
      await page.getByRole("button", { name: "Change", exact: true }).click();
      await page.getByRole("combobox", { name: "Expires after" }).selectOption("Never");
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByText("Never expires, for anybody.").waitFor();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const url = await page.getByRole("textbox", { name: "Invite link" }).inputValue();
      await eventually(() => copiedText(page)).toBe(url);
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
      // Offline it says so, and the typed text stays.
      await page.route("**/webhooks", (route) => route.abort());
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByText("The server cannot be reached.").waitFor();
      await eventually(() => page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Builds");
      await page.unroute("**/webhooks");
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByText("You will not see this again.").waitFor();
      await eventually(() => page.getByRole("textbox", { name: "Address" }).inputValue()).toContain(
        "/webhooks/",
      );
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
      await eventually(() => page.getByRole("textbox", { name: "Address" }).count()).toBe(0);

      await nav.getByRole("link", { name: "Bots" }).click();
      await page.getByRole("button", { name: "New bot" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("ubottu");
      await page.getByRole("button", { name: "Create bot" }).click();
      const token = page.getByRole("textbox", { name: "Token of ubottu" });
      await eventually(() => token.inputValue()).toStartWith("hb_");
      // It is made here, so it is in this server.
      await page.getByRole("button", { name: "Remove ubottu" }).waitFor();
      const add = page.getByRole("button", { name: "Add ubottu to this server" });
      await eventually(() => add.count()).toBe(0);
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
      await add.click();
      await page.getByRole("button", { name: "Remove ubottu" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
