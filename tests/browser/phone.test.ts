// On a phone, by touch alone: whole journeys, ways back, areas covered by system bars and the keyboard, moving panes.
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import {
  act,
  longPress,
  noMouse,
  phone,
  row,
  swipeBack,
  toChannels,
  untilPanesMove,
  untilSent,
} from "./touch.ts";

inChromium("a phone", (scene) => {
  async function village() {
    const { alice, bob, server: home } = await scene.twoPeople("The village");
    return { alice, bob, home, address: `/servers/${home.id}/channels/${home.general.id}` };
  }

  test(
    "by touch alone Erin registers, joins, says something, answers, reacts, corrects, sends a picture, looks around and leaves",
    async () => {
      const { alice, home } = await village();
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body;
      await alice.say(home.general.id, "Welcome to the village");
      const hers = await scene.watched(phone);
      hers.allow(/status of 401/);
      const page = await hers.page(`/invite/${code}`);
      await noMouse(page);
      await page.getByRole("link", { name: "Create an account" }).tap();
      await page.getByRole("textbox", { name: "E-mail" }).fill("erin@people.example");
      await page.getByRole("textbox", { name: "Username" }).fill("erin_by_touch");
      await page.getByRole("textbox", { name: "Display name" }).fill("Erin");
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
      await page.getByRole("button", { name: "Create account" }).tap();
      await page
        .getByRole("link", { name: "general" })
        .or(page.getByRole("main", { name: "general" }))
        .first()
        .waitFor();
      if ((await page.getByRole("main", { name: "general" }).count()) === 0)
        await page.getByRole("link", { name: "general" }).tap();
      const box = page.getByRole("textbox", { name: "Message #general" });
      await box.waitFor();

      await box.fill("Hello from my thumb");
      await page.getByRole("button", { name: "Send" }).tap();
      const own = row(page, "Hello from my thumb");
      await untilSent(page);
      const welcome = row(page, "Welcome to the village");
      await act(page, welcome, "Reply");
      await box.fill("Thank you");
      await page.getByRole("button", { name: "Send" }).tap();
      await row(page, "Thank you").getByText("Welcome to the village").waitFor();
      await untilSent(page);

      await longPress(page, welcome);
      const sheet = page.getByRole("dialog");
      await expectNoBarriers(page, [360]);
      await sheet.getByRole("button", { name: "React", exact: true }).last().tap();
      await page.getByRole("combobox", { name: /emoji/i }).fill("wave");
      await page.getByRole("gridcell").first().tap();
      await welcome.getByRole("button", { name: /1/ }).first().waitFor();

      await act(page, own, "Edit");
      const edit = page.getByRole("textbox", { name: "Edit message" });
      await edit.fill("Hello from my right thumb");
      await page.getByRole("button", { name: "Save" }).tap();
      await row(page, "Hello from my right thumb").getByText("edited").waitFor();

      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Attach files" }).tap();
      await (await chooser).setFiles({ name: "path.png", mimeType: "image/png", buffer: onePixel });
      await page.getByText("path.png").first().waitFor();
      await page.getByRole("button", { name: "Send" }).tap();
      await page.getByRole("article").last().getByRole("img").waitFor();
      await untilSent(page);

      await page.getByRole("button", { name: "Members" }).tap();
      await page
        .getByRole("complementary", { name: "Members" })
        .getByRole("button", { name: /^alice/ })
        .tap();
      await page.getByRole("dialog", { name: /alice/ }).waitFor();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await toChannels(page);

      await page.getByRole("button", { name: "You" }).tap();
      await page.getByRole("menuitem", { name: "Settings" }).tap();
      await page.getByRole("heading", { name: "Profile" }).waitFor();
      await page.getByRole("textbox", { name: "Display name" }).fill("Erin of the thumb");
      await page.getByRole("button", { name: /^Save/ }).tap();
      await page.getByRole("button", { name: /^Save/ }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Close" }).tap();
      await toChannels(page);

      await page.getByRole("button", { name: "Server menu" }).tap();
      await page.getByRole("menuitem", { name: "Leave server" }).tap();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Leave/ })
        .tap();
      await page.getByRole("link", { name: "The village" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "You" }).tap();
      await page.getByRole("menuitem", { name: "Sign out" }).tap();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await hers.close();
    },
    journey,
  );

  test(
    "back leads up: from a channel to where it was opened, from the mentions to the servers, and never round in circles",
    async () => {
      const { alice, bob, home } = await village();
      await bob.say(home.general.id, `@${alice.username} come`);
      const hers = await scene.watched(phone);
      const page = await hers.page("/", alice);
      const servers = page.getByRole("navigation", { name: "Channels" });
      const mentions = page.getByRole("main", { name: "Mentions" });
      const room = page.getByRole("main", { name: "general" });
      await servers.waitFor();
      const before = await page.evaluate<number>("history.length");
      for (let i = 0; i < 3; i++) {
        await page.getByRole("link", { name: /^Mentions/ }).tap();
        await mentions.waitFor();
        await page.getByRole("link", { name: /^Mentions/ }).tap();
        await page.getByRole("link", { name: "Servers" }).tap();
        await servers.waitFor();
      }
      expect(await page.evaluate<number>("history.length")).toBeLessThanOrEqual(before + 1);
      await servers.getByRole("link", { name: /^general/ }).tap();
      await room.waitFor();
      await page.goBack();
      await servers.waitFor();

      await page.getByRole("link", { name: /^Mentions/ }).tap();
      await mentions.getByRole("link", { name: /general/ }).tap();
      await room.waitFor();
      await page.getByRole("button", { name: "Members" }).tap();
      const members = page.getByRole("complementary", { name: "Members" });
      await members.waitFor();
      await page.goBack();
      await members.waitFor({ state: "detached" });
      await room.waitFor();
      await page.goBack();
      await mentions.waitFor();
      await page.goBack();
      await servers.waitFor();
      await eventually(() => room.count()).toBe(0);

      // After arriving by a link from elsewhere, the only way back within the page is up.
      await page.goto(`/servers/${home.id}/channels/${home.general.id}`);
      await room.waitFor();
      await page.getByRole("button", { name: "Back to channels" }).tap();
      await servers.waitFor();
      await hers.close();
    },
    journey,
  );

  test(
    "nothing lies below the bars of the system, nor below a keyboard over the page",
    async () => {
      const { alice, home, address } = await village();
      await alice.say(home.general.id, "the last message");
      const hers = await scene.watched(phone);
      await hers.context.addInitScript(keyboard);
      const page = await hers.page(address, alice);
      const session = await hers.context.newCDPSession(page);
      const insets = { top: 40, bottom: 34, left: 0, right: 0 };
      await session.send("Emulation.setSafeAreaInsetsOverride" as never, { insets } as never);
      const box = page.getByRole("textbox", { name: "Message #general" });
      await box.waitFor();
      const ends = async (locator: Locator) => {
        const rectangle = await locator.boundingBox();
        return rectangle ? [rectangle.y, rectangle.y + rectangle.height] : [0, 0];
      };
      await until(
        async () => ((await ends(page.getByRole("main")))[0] ?? 0) >= 40,
        "the room begins below the bar",
      );
      await eventually(async () => (await ends(box))[1]).toBeLessThanOrEqual(780 - 34);
      await page.evaluate("window.openKeyboard(300)");
      await until(async () => ((await ends(box))[1] ?? 780) <= 780 - 300, "the keyboard covers the composer");
      const last = row(page, "the last message");
      await until(async () => ((await ends(last))[1] ?? 780) <= 480, "the keyboard covers the last message");
      await page.evaluate("window.openKeyboard(0)");
      await until(async () => ((await ends(box))[1] ?? 0) > 600, "the room stays small");
      await toChannels(page);
      const bar = page.getByRole("link", { name: "Servers" });
      await eventually(async () => (await ends(bar))[1]).toBeLessThanOrEqual(780 - 34);
      await page.goto("/settings/profile");
      await page.getByRole("heading", { name: "Profile" }).waitFor();
      await until(
        async () => ((await ends(page.getByRole("main")))[0] ?? 0) >= 40,
        "the settings begin below the bar",
      );
      await hers.close();
    },
    journey,
  );

  test(
    "panes change by a transition, deeper and back; with reduced motion, and by a finger that moved them, at once",
    async () => {
      const { alice, home } = await village();
      for (const reducedMotion of ["no-preference", "reduce"] as const) {
        const hers = await scene.watched({ ...phone, reducedMotion });
        await hers.context.addInitScript(transitions);
        const page = await hers.page(`/servers/${home.id}`, alice);
        await untilPanesMove(page);
        await page.getByRole("link", { name: "general" }).tap();
        await page.getByRole("main", { name: "general" }).waitFor();
        await page.getByRole("button", { name: "Members" }).tap();
        await page.getByRole("complementary", { name: "Members" }).waitFor();
        await page.goBack();
        await page.getByRole("main", { name: "general" }).waitFor();
        await page.getByRole("button", { name: "Back to channels" }).tap();
        await page.getByRole("navigation", { name: "Channels" }).waitFor();
        const seen = () => page.evaluate<string[]>("window.seen");
        const expected = reducedMotion === "reduce" ? [] : ["deeper", "deeper", "back", "back"];
        await until(async () => String(await seen()) === String(expected), "other transitions");
        await page.getByRole("link", { name: "general" }).tap();
        await page.getByRole("main", { name: "general" }).waitFor();
        const before = (await seen()).length;
        await swipeBack(page);
        await page.getByRole("main", { name: "general" }).waitFor({ state: "detached" });
        expect(await seen()).toHaveLength(before);
        await until(
          () => page.evaluate<boolean>(`!document.querySelector("[style*=translateX]")`),
          "a pane stays beside its place",
        );
        await until(
          () => page.evaluate<boolean>("document.documentElement.dataset.pane === undefined"),
          "it goes on",
        );
        await hers.close();
      }
    },
    journey,
  );

  test(
    "the focus goes along into each pane, to its heading where nothing is typed, and back to the button of the members",
    async () => {
      const { alice, home } = await village();
      for (const { options, inRoom } of [
        { options: phone, inRoom: "H2 general" },
        { options: { viewport: { width: 390, height: 780 } }, inRoom: "TEXTAREA Message #general" },
      ]) {
        const hers = await scene.watched(options);
        const page = await hers.page(`/servers/${home.id}`, alice);
        await untilPanesMove(page);
        const press = (place: Locator) => (options === phone ? place.tap() : place.click());
        const focused = () => page.evaluate<string>(focus);
        await press(page.getByRole("link", { name: "general" }));
        await eventually(focused).toBe(inRoom);
        await press(page.getByRole("button", { name: "Members" }));
        await eventually(focused).toBe("H2 Members 2");
        // The pane alone: it is complementary here as well, and axe wants a main part of each page.
        await expectNoBarriers(page, [390], "[data-region=panel]");
        await press(page.getByRole("button", { name: "Close" }));
        await eventually(focused).toBe("BUTTON Members");
        // A press within 300 ms of another one is taken for a part of it.
        const closedAt = await page.evaluate<number>("performance.now()");
        await untilSo(page, `performance.now() - ${closedAt} > 300`);
        await press(page.getByRole("button", { name: "Back to channels" }));
        await eventually(focused).toBe("H1 The village");
        await press(page.getByRole("link", { name: "general" }));
        await page.getByRole("main", { name: "general" }).waitFor();
        await page.goBack();
        await eventually(focused).toBe("H1 The village");
        await hers.close();
      }
    },
    journey,
  );
});

/** The element with the focus, and its ring, if it has one. */
const focus = `(() => {
  const { activeElement: at } = document;
  const ring = at.matches("textarea, :not(:focus-visible)") ? "" : " with a ring";
  return at.tagName + " " + (at.ariaLabel ?? at.textContent) + ring;
})()`;

/** The keyboard of an iPhone: the page keeps its size, and its visible part shrinks. */
const keyboard = `(() => {
  let covered = 0;
  const { visualViewport } = window;
  Object.defineProperty(visualViewport, "height", { get: () => innerHeight - covered });
  window.openKeyboard = (height) => { covered = height; visualViewport.dispatchEvent(new Event("resize")); };
})();`;

/** Records the direction of each change of panes. */
const transitions = `(() => {
  window.seen = [];
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (change) => {
    window.seen.push(document.documentElement.dataset.pane);
    return start(change);
  };
})();`;

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
