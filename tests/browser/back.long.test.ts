// Going back on a phone: closes overlays first, then goes up; and overlays opened right after loading stay open.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { longPress, phone, row, swipeBack } from "./touch.ts";

inChromium("the way back on a phone", (scene) => {
  async function village() {
    const { alice, bob, server, general } = await scene.twoPeople("The village");
    await bob.say(general.id, `@${alice.username} come`);
    return { alice, bob, server, general, address: `/servers/${server.id}/channels/${general.id}` };
  }

  const channels = (page: Page) => page.getByRole("navigation", { name: "Channels" });
  const room = (page: Page) => page.getByRole("main", { name: "general" });

  test(
    "back closes a menu, a sheet, a card, a dialog and the members, one after the other, and then leads up",
    async () => {
      const { alice, server } = await village();
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}`, alice);
      await channels(page).waitFor();
      await page.getByRole("button", { name: "You" }).tap();
      await page.getByRole("menu").waitFor();
      await page.goBack();
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Add a server" }).tap();
      await page.getByRole("dialog").waitFor();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await channels(page).waitFor();

      await channels(page)
        .getByRole("link", { name: /^general/ })
        .tap();
      await room(page).waitFor();
      await longPress(page, row(page, "come"));
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Members" }).tap();
      const members = page.getByRole("complementary", { name: "Members" });
      await members.getByRole("button", { name: /^bob/ }).tap();
      await page.getByRole("dialog", { name: /bob/ }).waitFor();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await members.waitFor();
      await page.goBack();
      await room(page).waitFor();
      await members.waitFor({ state: "detached" });
      await page.goBack();
      await channels(page).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/servers/${server.id}`);
      await hers.close();
    },
    journey,
  );

  test(
    "what was closed by itself takes no press of back, and what a menu or a finder led to lies above where it was opened",
    async () => {
      const { alice, address, server } = await village();
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}`, alice);
      await channels(page)
        .getByRole("link", { name: /^general/ })
        .tap();
      await room(page).waitFor();
      await longPress(page, row(page, "come"));
      await page.locator("[role=dialog]:focus-within").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.goBack();
      await channels(page).waitFor();
      await eventually(() => room(page).count()).toBe(0);

      await page.getByRole("button", { name: "You" }).tap();
      await page.getByRole("menuitem", { name: "Settings" }).tap();
      await page.getByRole("heading", { name: "Profile" }).waitFor();
      await page.goBack();
      await channels(page).waitFor();
      await page.getByRole("button", { name: "Server menu" }).tap();
      await page.getByRole("menu").waitFor();
      await page.goBack();
      await page.getByRole("menu").waitFor({ state: "detached" });

      // A channel opened by a link: the arrow in its header leads up, also after an overlay.
      await page.goto(address);
      await room(page).waitFor();
      await longPress(page, row(page, "come"));
      await page.locator("[role=dialog]:focus-within").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Back to channels" }).tap();
      await channels(page).waitFor();
      await hers.close();
    },
    journey,
  );

  test(
    "back from a form with changes asks, and leaving leads where back would have led",
    async () => {
      const { alice, server } = await village();
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}`, alice);
      await page.getByRole("button", { name: "You" }).tap();
      await page.getByRole("menuitem", { name: "Settings" }).tap();
      await page.getByRole("textbox", { name: "Display name" }).fill("Alice of the hill");
      await page.goBack();
      const question = page.getByRole("dialog");
      await question.waitFor();
      await page.goBack();
      await question.waitFor({ state: "detached" });
      await eventually(() => page.getByRole("textbox", { name: "Display name" }).inputValue()).toBe(
        "Alice of the hill",
      );
      await page.goBack();
      await question.getByRole("button", { name: "Discard and leave" }).tap();
      await channels(page).waitFor();
      await question.waitFor({ state: "detached" });
      await hers.close();
    },
    journey,
  );

  test(
    "the way up from a channel leads to the channels, also after a look at the mentions",
    async () => {
      const { alice, server } = await village();
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}`, alice);
      await page.getByRole("link", { name: /^Mentions/ }).tap();
      await page.getByRole("main", { name: "Mentions" }).waitFor();
      await page.getByRole("link", { name: "Servers" }).tap();
      await channels(page)
        .getByRole("link", { name: /^general/ })
        .tap();
      await room(page).waitFor();
      await page.getByRole("button", { name: "Back to channels" }).tap();
      await channels(page).waitFor();
      await eventually(() => page.getByRole("main", { name: "Mentions" }).count()).toBe(0);
      await hers.close();
    },
    journey,
  );

  test(
    "a swipe goes back once, however often, and what is pressed where one is already is no step",
    async () => {
      const { alice, server } = await village();
      const hers = await scene.watched(phone);
      await hers.context.addInitScript(browserSteps);
      const page = await hers.page(`/servers/${server.id}`, alice);
      const members = page.getByRole("complementary", { name: "Members" });
      await page.getByRole("link", { name: /^Mentions/ }).tap();
      await page.getByRole("main", { name: "Mentions" }).waitFor();
      await page.getByRole("link", { name: "Servers" }).tap();
      await channels(page).waitFor();
      const before = await page.evaluate<number>("history.length");
      const open = async () => {
        await page.getByRole("link", { name: "Servers" }).tap();
        await channels(page)
          .getByRole("link", { name: /^general/ })
          .tap();
        await room(page).waitFor();
      };
      for (let round = 0; round < 4; round++) {
        await open();
        await swipeBack(page);
        await channels(page).waitFor();
        await open();
        await page.getByRole("button", { name: "Members" }).tap();
        await members.getByRole("button", { name: /^bob/ }).waitFor();
        await swipeBack(page);
        await members.waitFor({ state: "detached" });
        await room(page).waitFor();
        await page.evaluate("history.back()");
        await channels(page).waitFor();
      }
      expect(await page.evaluate<number>("window.browserSteps")).toBe(0);
      expect(new URL(page.url()).pathname).toBe(`/servers/${server.id}`);
      // The room and the members are ahead in the history; the mentions had the room's place before.
      expect(await page.evaluate<number>("history.length")).toBe(before + 1);
      await hers.close();
    },
    journey,
  );

  test(
    "who comes by an invite stands in the first channel, with the channels behind it",
    async () => {
      const { alice, server } = await village();
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const dora = await scene.person("dora");
      const hers = await scene.watched(phone);
      const page = await hers.page(`/invite/${code}`, dora);
      await page.getByRole("button", { name: "Join" }).tap();
      await room(page).waitFor();
      await page.goBack();
      await channels(page).waitFor();
      await hers.close();
    },
    journey,
  );

  test(
    "what is opened as soon as the page stands stays open: the switcher, the emoji, a menu",
    async () => {
      const { alice, address } = await village();
      const narrow = { viewport: { width: 390, height: 780 } };
      for (const options of [narrow, { ...narrow, ...phone }]) {
        const hers = await scene.watched(options);
        const page = await hers.page(address, alice);
        await row(page, "come").waitFor();
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Go to" }).waitFor();
        await stays(page, "input[role=combobox]");
        await page.keyboard.press("Escape");
        await page.reload();
        await row(page, "come").waitFor();
        await page.getByRole("button", { name: "Emoji" }).click();
        await page.getByRole("gridcell").first().waitFor();
        await stays(page, "[role=gridcell]");
        await page.reload();
        await row(page, "come").waitFor();
        await page.getByRole("button", { name: "Channel menu" }).click();
        await page.getByRole("menu").waitFor();
        await stays(page, "[role=menu]");
        await hers.close();
      }
    },
    journey,
  );
});

/** Counts the browser's own steps back, by a finger that moves sideways. */
const browserSteps = `(() => {
  window.browserSteps = 0;
  navigation.addEventListener("navigate", ({ navigationType, userInitiated }) => {
    if (navigationType === "traverse" && userInitiated) window.browserSteps++;
  });
})();`;

/** Expects an element to be still there after everything that the page loads later. */
async function stays(page: Page, what: string): Promise<void> {
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await untilSo(page, `document.querySelector(${JSON.stringify(what)}) !== null`);
  expect(await page.locator(what).count()).toBeGreaterThan(0);
}
