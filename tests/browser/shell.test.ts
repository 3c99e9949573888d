// The frame in a real browser: by keys alone, on a phone, and while others come, go and are sent away.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { comeIn, crowd } from "../house/crowd.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, patienceMs, untilSo } from "./scene.ts";

inChromium("the frame", (scene) => {
  /** Alice's village, with a garden and a cellar besides the general channel, and Bob in it. */
  async function village() {
    const [alice, bob] = [await scene.person("alice"), await scene.person("bob")];
    const server = await alice.makeServer("The village");
    const make = async (name: string, position: number) =>
      (await alice.post<Channel>("/channels", { server_id: server.id, name, category: "Outside", position }))
        .body;
    const [garden, cellar] = [await make("garden", 2), await make("cellar", 3)];
    await alice.bringIn(server.id, bob);
    return { alice, bob, server, garden, cellar };
  }

  test(
    "by keys alone one finds a channel, walks through the parts of the page, says what one does; the focus is never lost",
    async () => {
      const { alice, bob, server, cellar } = await village();
      const other = await alice.makeServer("The harbour");
      await bob.say(cellar.id, "The wine is here");
      const hers = await scene.watched();
      const page = await hers.page(`/servers/${server.id}`, alice);
      await page.getByRole("main", { name: "general" }).waitFor();

      await page.keyboard.press("Control+k");
      const box = page.getByRole("dialog", { name: "Go to" }).getByRole("combobox", { name: "Go to" });
      await box.waitFor();
      await page.keyboard.type("gar");
      await page.getByRole("option", { name: /^garden/ }).waitFor();
      expect(await page.getByRole("dialog").ariaSnapshot()).toMatchSnapshot();
      await expectNoBarriers(page);
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "garden" }).waitFor();
      await expectFocus(page);

      await page.keyboard.press("Alt+ArrowUp");
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.keyboard.press("Alt+Shift+ArrowDown");
      await page.getByRole("main", { name: "cellar" }).waitFor();
      await page.keyboard.press("Alt+ArrowLeft");
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.keyboard.press("Control+Alt+ArrowDown");
      await page
        .getByRole("link", { name: "The harbour" })
        .and(page.locator("[aria-current=page]"))
        .waitFor();
      expect(page.url()).toContain(other.id);

      const regions: (string | null)[] = [];
      for (let i = 0; i < 6; i++) {
        await page.keyboard.press("F6");
        await expectFocus(page);
        regions.push(await page.locator("[data-region]:focus-within").last().getAttribute("data-region"));
      }
      for (const each of ["servers", "channels", "composer", "panel"]) expect(regions).toContain(each);

      await page.getByRole("button", { name: "You" }).focus();
      await page.keyboard.press("Enter");
      const item = page.getByRole("menuitem", { name: "Set status" });
      await item.waitFor();
      await item.focus();
      await page.keyboard.press("Enter");
      const status = page.getByRole("dialog", { name: "Set status" });
      await status.getByRole("textbox", { name: "What are you doing?" }).fill("Mending nets");
      await expectNoBarriers(page);
      await page.keyboard.press("Enter");
      await status.waitFor({ state: "detached" });
      await page.getByText("Mending nets").first().waitFor();
      await untilSo(page, `document.activeElement?.getAttribute("aria-label") === "You"`);

      await page.keyboard.press("Control+/");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.getByRole("button", { name: /^Members: Ctrl U/ }).press("Enter");
      await page.keyboard.press("Control+Shift+u");
      await page.getByRole("button", { name: /^Members: Ctrl ⇧ U|^Members: Ctrl Shift U/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expectFocus(page);
      const members = page.getByRole("complementary", { name: "Members" });
      await members.waitFor();
      await page.keyboard.press("Control+Shift+u");
      await members.waitFor({ state: "detached" });
      await hers.close();
    },
    patienceMs,
  );

  test(
    "people are seen where they are: away, with another colour, sent away, and without the right to look",
    async () => {
      const { alice, bob, server, garden } = await village();
      const [hers, his] = [await scene.watched(), await scene.watched()];
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
      expect(await members.ariaSnapshot()).toMatchSnapshot();

      await expectNoBarriers(page);
      await bobsRow.click();
      const card = page.getByRole("dialog", { name: "Profile of bob" });
      await card.getByText("Gardeners").waitFor();
      await card.getByRole("button", { name: "Block" }).click();
      await card.getByRole("button", { name: "Unblock" }).waitFor();
      await expectNoBarriers(page, [1280]);
      await card.getByRole("button", { name: "Unblock" }).click();
      await card.getByRole("button", { name: "Block", exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await card.waitFor({ state: "detached" });
      await untilSo(page, `document.activeElement?.getAttribute("data-person") === "${bob.id}"`);

      const everyone = `/servers/${server.id}/roles/${server.everyone.id}`;
      await alice.patch(everyone, { permissions: permission.SEND_MESSAGES });
      await bobs.getByRole("main", { name: "#garden is not here any more" }).waitFor();
      await alice.patch(everyone, { permissions: permission.VIEW_CHANNEL | permission.SEND_MESSAGES });
      await bobs.getByRole("main", { name: "garden" }).waitFor();

      await bobsRow.click();
      await card.getByRole("button", { name: "Kick" }).click();
      await page.getByRole("dialog", { name: "Kick bob" }).getByRole("button", { name: "Kick" }).click();
      await bobsRow.waitFor({ state: "detached" });
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expectFocus(page);
      await bobs.getByRole("link", { name: "The village" }).waitFor({ state: "detached" });
      await bobs.getByRole("main").waitFor();
      await hers.close();
      await his.close();
    },
    patienceMs,
  );

  test(
    "channels are made, moved by keys and by hand, folded and deleted; others see it at once",
    async () => {
      const { alice, bob, server, cellar } = await village();
      const [hers, his] = [await scene.watched(), await scene.watched()];
      const page = await hers.page(`/servers/${server.id}`, alice);
      const bobs = await his.page(`/servers/${server.id}`, bob);
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Create channel" }).click();
      await page.getByRole("textbox", { name: "Channel name" }).fill("attic");
      await page.getByRole("combobox", { name: "Category" }).fill("Outside");
      await page.getByRole("button", { name: "Create channel" }).last().click();
      await page.getByRole("main", { name: "attic" }).waitFor();
      await bobs.getByRole("link", { name: "attic" }).waitFor();
      await inOrder(bobs, ["general", "garden", "cellar", "attic"]);

      await page.getByRole("button", { name: "Channel menu" }).press("Enter");
      await page.getByRole("menuitem", { name: "Move up" }).press("Enter");
      await inOrder(bobs, ["general", "garden", "attic", "cellar"]);
      await page.getByRole("link", { name: "cellar" }).dragTo(page.getByRole("link", { name: "garden" }));
      await inOrder(bobs, ["general", "cellar", "garden", "attic"]);
      await inOrder(page, ["general", "cellar", "garden", "attic"]);

      await bobs.getByRole("button", { name: "Outside" }).click();
      await inOrder(bobs, ["general"]);
      await alice.say(cellar.id, "The wine is here");
      await bobs.getByRole("link", { name: "cellar unread" }).waitFor();
      await bobs.reload();
      await inOrder(bobs, ["general", "cellar"]);
      await expectNoBarriers(bobs);

      await page.getByRole("button", { name: "Channel menu" }).press("Enter");
      await page.getByRole("menuitem", { name: "Delete channel" }).press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Delete channel" }).click();
      await page.getByRole("main", { name: "#attic is not here any more" }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expectFocus(page);
      await hers.close();
      await his.close();
    },
    patienceMs,
  );

  test(
    "a phone shows one pane at a time; back and forward lead through them",
    async () => {
      const { alice, bob, server, cellar } = await village();
      await bob.say(cellar.id, `@${alice.username} the wine is here`);
      const hers = await scene.watched({
        viewport: { width: 360, height: 740 },
        hasTouch: true,
        isMobile: true,
      });
      const page = await hers.page("/", alice);
      await page.getByRole("link", { name: "cellar 1 mention" }).waitFor();
      await eventually(() => page.getByRole("main").count()).toBe(0);
      await page.getByRole("link", { name: /^Mentions/ }).tap();
      await page
        .getByRole("main", { name: "Mentions" })
        .getByRole("link", { name: /cellar/ })
        .tap();
      await page.getByRole("main", { name: "cellar" }).waitFor();
      await eventually(() => page.getByRole("navigation", { name: "Servers" }).count()).toBe(0);
      await page.getByRole("button", { name: "Members" }).tap();
      await page.getByRole("complementary", { name: "Members" }).waitFor();
      await eventually(() => page.getByRole("main").count()).toBe(0);
      await expectNoBarriers(page, [360]);
      await page.goBack();
      await page.getByRole("main", { name: "cellar" }).waitFor();
      await page.getByRole("button", { name: "Back to channels" }).tap();
      await page.getByRole("main", { name: "Mentions" }).waitFor();
      await page.getByRole("link", { name: "Servers" }).tap();
      await page.waitForURL(({ search }) => search === "");
      await page.getByRole("link", { name: "garden" }).tap();
      await page.getByRole("main", { name: "garden" }).waitFor();
      await swipe(page, "right");
      await page.getByRole("main", { name: "garden" }).waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Servers" }).tap();
      await page.getByRole("navigation", { name: "Channels" }).waitFor();
      await page.getByRole("button", { name: "You" }).tap();
      await page.getByRole("menuitem", { name: "Settings" }).waitFor();
      await expectNoBarriers(page, [360]);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole("main", { name: "garden" }).waitFor();
      expect(server.id).toBe(new URL(page.url()).pathname.split("/")[2] ?? "");
      await hers.close();
    },
    patienceMs,
  );

  test(
    "of a server with 1,300 members those who are here stand first, and the others come page by page",
    async () => {
      const { alice, bob, server } = await village();
      await comeIn(scene.house, server.id, await crowd(scene.house, alice, 1300));
      await scene.house.running.house.database.transaction((db) =>
        db.updateTable("servers").set({ member_count: 1302 }).where("id", "=", server.id).execute(),
      );
      await bob.listen();
      const hers = await scene.watched();
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
    patienceMs,
  );

  test(
    "away by itself after ten minutes, back with the first touch; undisturbed only as long as was chosen",
    async () => {
      const { alice, bob, server } = await village();
      const [hers, his] = [await scene.watched(), await scene.watched()];
      const page = await hers.page(`/servers/${server.id}`, alice);
      const row = (status: string) =>
        page.getByRole("complementary").getByRole("button", { name: new RegExp(`^bob \\(${status}`) });
      await his.context.clock.install();
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
      await bobs.clock.fastForward("01:00:30");
      await row("(Online|Away)").waitFor();
      await hers.close();
      await his.close();
    },
    patienceMs,
  );
});

/** A finger goes across the middle of the screen. */
async function swipe(page: Page, to: "right" | "left"): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const steps = [60, 100, 140, 180, 220, 260];
  if (to === "left") steps.reverse();
  const touch = (type: string, x?: number) =>
    session.send("Input.dispatchTouchEvent", {
      type: type as "touchStart",
      touchPoints: x === undefined ? [] : [{ x, y: 300 }],
    });
  await touch("touchStart", steps[0]);
  for (const x of steps.slice(1)) await touch("touchMove", x);
  await touch("touchEnd");
}

/** Something has the focus, and it is not the page itself. */
function expectFocus(page: Page): Promise<void> {
  return untilSo(page, "document.activeElement !== null && document.activeElement !== document.body");
}

/** Waits until the list shows these channels, from top to bottom. */
function inOrder(page: Page, names: readonly string[]): Promise<void> {
  const shown = `[...document.querySelectorAll("nav[aria-label=Channels] a")].map((a) => a.querySelector("span").textContent)`;
  return untilSo(page, `JSON.stringify(${shown}) === ${JSON.stringify(JSON.stringify(names))}`);
}
