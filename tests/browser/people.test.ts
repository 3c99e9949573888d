// The people of a server in a real browser: where they are shown, how many there may be, and their own texts.
import { expect, test } from "bun:test";
import type { Badge, Me, User } from "../../features/accounts/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { until } from "../house/machine/waiting.ts";
import { comeIn, crowd } from "../house/scenes/crowd.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { hasFocus, inChromium, journey, untilSo } from "./scene.ts";
import { village } from "./village.ts";
import { withoutWorker } from "./watched.ts";

inChromium("people", (scene) => {
  test(
    "people are seen where they are: away, with another colour, sent away, and without the right to look",
    async () => {
      const { alice, bob, server, garden } = await village(scene);
      const { body: badge } = await alice.post<Badge>("/badges", { name: "Early bird", icon: "🐦" });
      await alice.put(`/users/${bob.id}/badges/${badge.id}`);
      const [hers, his] = [await scene.watched(withoutWorker), await scene.watched(withoutWorker)];
      const page = await hers.page(`/servers/${server.id}`, alice);
      const members = page.getByRole("complementary", { name: "Members" });
      await members.getByRole("button", { name: /^bob \(Offline/ }).waitFor();
      const bobs = await his.page(`/servers/${server.id}/channels/${garden.id}`, bob);
      await bobs.getByRole("main", { name: "garden" }).waitFor();
      await members.getByRole("button", { name: /^bob \(Online/ }).waitFor();

      await bobs.getByRole("button", { name: "You" }).click();
      await bobs.getByRole("menuitem", { name: "Set status" }).click();
      await bobs.getByRole("radio", { name: "Do not disturb" }).check();
      await bobs.getByRole("button", { name: "Save status" }).click();
      const bobsRow = members.getByRole("button", { name: /^bob \(Do not disturb/ });
      await bobsRow.waitFor();
      const role = await alice.giveRole(server.id, bob, 0, 3);
      await alice.patch(`/servers/${server.id}/roles/${role.id}`, { name: "Gardeners", color: "#2f8f83" });
      await members.getByRole("heading", { name: "Gardeners 1" }).waitFor();
      await bobsRow.getByTitle("Early bird").waitFor();
      await members.getByTitle("Owner").waitFor();
      expect(await members.ariaSnapshot()).toMatchSnapshot();

      await expectNoBarriers(page);
      await bobsRow.click();
      const card = page.getByRole("dialog", { name: "Profile of bob" });
      await card.getByText("Gardeners").waitFor();
      // It stands beside what opened it, not over it.
      await eventually(async () => {
        const [of, row] = [await card.boundingBox(), await bobsRow.boundingBox()];
        return of !== null && row !== null && of.x + of.width <= row.x;
      }).toBe(true);
      await expectNoBarriers(page, [390, 1280]);
      const choose = async (name: string) => {
        await card.getByRole("button", { name: "More", exact: true }).click();
        await page.getByRole("menuitem", { name, exact: true }).click();
        await card.waitFor({ state: "detached" });
      };
      await choose("Block");
      await bobsRow.click();
      await choose("Unblock");
      await untilSo(page, `document.activeElement?.getAttribute("data-person") === "${bob.id}"`);

      const everyone = `/servers/${server.id}/roles/${server.everyone.id}`;
      await alice.patch(everyone, { permissions: permission.SEND_MESSAGES });
      await bobs.getByRole("main", { name: "#garden is not here any more" }).waitFor();
      await alice.patch(everyone, { permissions: permission.VIEW_CHANNEL | permission.SEND_MESSAGES });
      await bobs.getByRole("main", { name: "garden" }).waitFor();

      await bobsRow.click();
      await choose("Kick");
      await page.getByRole("dialog", { name: "Kick bob" }).getByRole("button", { name: "Kick" }).click();
      await bobsRow.waitFor({ state: "detached" });
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await eventually(() => hasFocus(page)).toBe(true);
      await bobs.getByRole("link", { name: "The village" }).waitFor({ state: "detached" });
      await bobs.getByRole("main").waitFor();
      await hers.close();
      await his.close();
    },
    journey,
  );

  test(
    "of a server with 1,300 members those who are here stand first, and the others come page by page",
    async () => {
      const { alice, bob, server } = await village(scene);
      await comeIn(scene.house, server.id, await crowd(scene.house, alice, 1300));
      await scene.house.running.house.database.transaction((db) =>
        db.updateTable("servers").set({ member_count: 1302 }).where("id", "=", server.id).execute(),
      );
      await bob.listen();
      const hers = await scene.watched(withoutWorker);
      const page = await hers.page(`/servers/${server.id}`, alice);
      const members = page.getByRole("complementary", { name: "Members" });
      await members.getByRole("button", { name: "bob (Online)" }).waitFor();
      await members.getByRole("heading", { name: /^Offline 1,30\d/ }).waitFor();
      await members.getByRole("button", { name: "bob (Online)" }).focus();
      const asked = page.waitForRequest(/\/members\?.*after=/);
      for (let i = 0; i < 3; i++) await page.keyboard.press("End");
      await asked;
      await untilSo(page, `document.activeElement?.dataset.person !== undefined`);
      await eventually(() => members.getByRole("button").count()).toBeLessThan(80);
      await hers.close();
    },
    journey,
  );

  test(
    "away by itself after ten minutes, back with the first touch; undisturbed only as long as was chosen",
    async () => {
      const { alice, bob, server } = await village(scene);
      const [hers, his] = [await scene.watched(withoutWorker), await scene.watched(withoutWorker)];
      const page = await hers.page(`/servers/${server.id}`, alice);
      const row = (status: string) =>
        page.getByRole("complementary").getByRole("button", { name: new RegExp(`^bob \\(${status}`) });
      await his.context.clock.install();
      // Skipping an hour may interrupt an attempt to connect.
      his.allow(/WebSocket is closed before the connection is established/);
      let cut = () => {};
      let connections = 0;
      await his.context.routeWebSocket("**/ws", (socket) => {
        const far = socket.connectToServer();
        far.onMessage((frame) => {
          if (/"type":"(READY|RESUMED)"/.test(String(frame))) connections++;
          socket.send(frame);
        });
        cut = () => {
          for (const side of [socket, far]) void side.close({ code: 4000 });
        };
      });
      const bobs = await his.page(`/servers/${server.id}`, bob);
      await bobs.getByRole("main", { name: "general" }).waitFor();
      await row("Online").waitFor();
      await bobs.clock.fastForward("10:30");
      await row("Away").waitFor();
      await bobs.keyboard.press("Shift");
      await row("Online").waitFor();
      await bobs.getByRole("button", { name: "You" }).click();
      await bobs.getByRole("menuitem", { name: "Set status" }).click();
      await bobs.getByRole("radio", { name: "Do not disturb" }).check();
      await bobs.getByRole("combobox", { name: "Until when" }).selectOption("For one hour");
      await bobs.getByRole("button", { name: "Save status" }).click();
      await row("Do not disturb").waitFor();
      // The connection is down at the moment when the hour ends.
      const before = connections;
      cut();
      await bobs.clock.fastForward("01:00:30");
      await until(() => connections > before, "it does not connect again");
      // The page checks every fifteen seconds whether it has ended.
      await bobs.clock.fastForward("00:20");
      await row("(Online|Away)").waitFor();
      await hers.close();
      await his.close();
    },
    journey,
  );

  test(
    "somebody who is mentioned by id has a name as soon as it is known, and never an id; the line above a reply names them, too",
    async () => {
      const { alice, bob, server } = await village(scene);
      const first = await alice.say(server.general.id, `Ask <@${bob.id}> or @${bob.username}`);
      const reply = { content: "I did", reply_to: first.id };
      await alice.post(`/channels/${server.general.id}/messages`, reply);
      const shown = (await bob.patch<User>("/auth/me", { display_name: "Bob Okafor" })).body.display_name;
      const watched = await scene.watched(withoutWorker);
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await watched.context.route("**/members?**", async (route) => {
        await held;
        await route.continue();
      });
      const page = await watched.page(`/servers/${server.id}`, alice);
      const row = page.getByRole("article").filter({ hasText: "Ask" }).first();
      await row.getByText(`Ask @… or @${bob.username}`).waitFor();
      expect(await page.getByRole("main").innerText()).not.toContain(bob.id);
      release();
      await eventually(() => row.innerText()).toContain(`Ask @${shown} or @${shown}`);
      await page.getByRole("link", { name: `Reply to alice: Ask @${shown} or @${shown}` }).waitFor();
      // Voice is not set up here: there are no keys of calls.
      await page.keyboard.press("Control+/");
      await page.getByRole("dialog").getByText("Go to a channel, person or server").waitFor();
      expect(await page.getByRole("dialog").getByText("Stop listening, or listen again").count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "one's own state is what others will see, from the first frame and without a server to be seen in",
    async () => {
      const { alice, server } = await village(scene);
      const carol = await scene.person("carol");
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(`window.ownStates = [];
        new MutationObserver(() => {
          const id = document.querySelector("[aria-label=You]")?.getAttribute("aria-describedby");
          const state = id && document.getElementById(id)?.lastElementChild?.textContent;
          if (state && state !== ownStates.at(-1)) ownStates.push(state);
        }).observe(document, { childList: true, subtree: true, characterData: true });`);
      const page = await watched.page("/", carol);
      await page.getByRole("button", { name: "Create the server" }).waitFor();
      await untilSo(page, "ownStates.length > 0");
      await alice.bringIn(server.id, carol);
      await page.getByRole("link", { name: server.name }).first().click();
      const members = page.getByRole("complementary", { name: "Members" });
      await members.getByRole("button", { name: /^carol \(Online/ }).waitFor();
      expect(await page.evaluate<string[]>("ownStates")).toEqual(["Online"]);
      await watched.close();
    },
    journey,
  );

  test(
    "a status that is set takes nothing back that was chosen on another device while the dialog was open",
    async () => {
      const { bob, server } = await village(scene);
      const his = await scene.watched(withoutWorker);
      const page = await his.page(`/servers/${server.id}`, bob);
      const own = async () => (await bob.get<Me>("/auth/me")).body;
      const dialog = page.getByRole("dialog");
      const open = async () => {
        await page.getByRole("button", { name: "You" }).click();
        await page.getByRole("menuitem", { name: "Set status" }).click();
        await dialog.getByRole("textbox").waitFor();
      };
      const save = async () => {
        await page.getByRole("button", { name: "Save status" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      await open();
      await bob.put("/auth/me/presence", { status: "dnd" });
      await bob.patch("/auth/me", { status_text: "Asleep" });
      await dialog.getByRole("radio", { name: "Do not disturb", checked: true }).waitFor();
      await eventually(() => dialog.getByRole("textbox").inputValue()).toBe("Asleep");
      await save();
      expect(await own()).toMatchObject({ presence_chosen: "dnd", status_text: "Asleep" });

      await open();
      await dialog.getByRole("textbox").fill("Awake");
      await bob.put("/auth/me/presence", { status: "invisible" });
      await save();
      await eventually(own).toMatchObject({ presence_chosen: "invisible", status_text: "Awake" });
      await his.close();
    },
    journey,
  );
});
