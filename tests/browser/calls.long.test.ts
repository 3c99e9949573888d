// Calls in trouble: no microphone permission, no sound, no right, no session, no https; and calls on a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { freePort } from "../house/machine/port.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { inside } from "../house/scenes/parlour.ts";
import { LiveKitServer, livekitPath } from "../house/servers/livekit-server.ts";
import { expectNoBarriers } from "./axe.ts";
import { addressOf, askingLong, join, roomOf, tileOf, toolbarOf } from "./calling.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { postponed } from "./postponed.ts";
import { untilSo } from "./scene.ts";
import { Watched } from "./watched.ts";

const patienceMs = 400_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";
const withMedia = livekitPath ? "" : " (skipped: no LiveKit server here)";
const fakeDevices = "--use-fake-device-for-media-stream";

describe.skipIf(!chromiumPath || !livekitPath)(
  `calls when not all is well, in Chromium${here || withMedia}`,
  () => {
    let media: LiveKitServer;
    let house: TestHouse;
    /** Answers permission requests with yes. */
    let browser: Browser;

    beforeAll(async () => {
      const port = await freePort();
      media = await LiveKitServer.make(port);
      await media.start();
      const settings = {
        AVATAR_URL: "off",
        PORT: String(port),
        TRUSTED_ORIGINS: `http://chat.example:${port}`,
      };
      house = await makeHouse("SQLite", { ...settings, ...media.settings });
      await house.open();
      browser = await launchChromium(
        ...[fakeDevices, "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required"],
        "--host-resolver-rules=MAP chat.example 127.0.0.1",
      );
    }, patienceMs);
    afterAll(async () => {
      await browser?.close();
      await house?.end();
      await media?.end();
    }, patienceMs);

    async function open(person: TestPerson, room: Channel, phone = false): Promise<[Watched, Page]> {
      const size = phone ? { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true } : {};
      const watched = await Watched.open(browser, house.url, size);
      watched.allow(/WebSocket|asked 127\.0\.0\.1|Failed to load resource|livekit/i);
      return [watched, await watched.page(addressOf(room), person)];
    }

    test(
      "whom the browser refuses the microphone listens, is seen as muted, and talks once it is allowed",
      async () => {
        const asking = await launchChromium(fakeDevices, "--autoplay-policy=no-user-gesture-required");
        const alice = await house.person("alice");
        const room = await roomOf(alice);
        const watched = await Watched.open(asking, house.url);
        await watched.context.grantPermissions([], { origin: house.url });
        const page = await watched.page(addressOf(room), alice);
        await join(page);
        await page.getByText("The browser does not let this page use the microphone.").waitFor();
        await tileOf(page, "alice").filter({ hasText: "You, muted" }).waitFor();
        await until(
          async () => (await inside(alice, room.id))[0]?.muted === true,
          "others think that she is heard",
        );
        await expectNoBarriers(page);
        await watched.context.grantPermissions(["microphone"], { origin: house.url });
        await page.getByRole("button", { name: "Try again" }).click();
        await tileOf(page, "alice").filter({ hasText: "Speaking" }).waitFor();
        await until(
          async () => (await inside(alice, room.id))[0]?.muted === false,
          "others think that she is muted",
        );
        await watched.close();
        await asking.close();
      },
      patienceMs,
    );

    test(
      "who leaves while the browser still asks is given no microphone",
      async () => {
        const alice = await house.person("alice");
        const room = await roomOf(alice);
        const [hers, page] = await open(alice, room);
        await hers.context.addInitScript(askingLong);
        // After this time the media library closes it by itself, whatever the page does.
        await hers.context.addInitScript(postponed(15_000));
        await page.reload();
        await join(page);
        await untilSo(page, "globalThis.answer !== undefined");
        await toolbarOf(page).getByRole("button", { name: "Leave" }).click();
        await page.evaluate("answer()");
        const isClosed = `given.length > 0 && given.every(({ readyState }) => readyState === "ended")`;
        await until(() => page.evaluate<boolean>(isClosed), "the microphone stays open");
        await hers.close();
      },
      patienceMs,
    );

    test(
      "where the browser plays nothing by itself one button turns the sound on; devices are chosen, and kept",
      async () => {
        const [alice, bob] = [await house.person("alice"), await house.person("bob")];
        const room = await roomOf(alice, bob);
        const [his, b] = await open(bob, room);
        await join(b);
        const [hers, a] = await open(alice, room);
        hers.allow(/NotAllowedError: not before a press/);
        await hers.context.addInitScript(silence);
        await a.reload();
        await join(a);
        await a.getByRole("button", { name: "Turn sound on" }).click();
        await a.getByRole("button", { name: "Turn sound on" }).waitFor({ state: "detached" });
        await tileOf(a, "bob").filter({ hasText: "Speaking" }).waitFor();

        await a.getByRole("button", { name: "Devices" }).click();
        const microphone = a.getByRole("combobox", { name: "Microphone" });
        await microphone.selectOption("Fake Audio Input 2");
        await tileOf(b, "alice").filter({ hasText: "Speaking" }).waitFor();
        await a.keyboard.press("Escape");
        await a.reload();
        await join(a);
        await a.getByRole("button", { name: "Devices" }).click();
        await until(
          async () => (await microphone.locator("option:checked").textContent()) === "Fake Audio Input 2",
          "the choice is lost",
        );

        // Joining elsewhere ends the call here, with a message.
        const second = await hers.context.newPage();
        await second.goto(addressOf(room));
        await join(second);
        await a.getByText("You joined from another place").waitFor();
        await second.goto("/settings/profile");
        await hers.close();
        await his.close();
      },
      patienceMs,
    );

    test(
      "who may not speak any more listens, and is heard again when they may; in settings the call stays in sight, and can be left",
      async () => {
        const [alice, bob] = [await house.person("alice"), await house.person("bob")];
        const room = await roomOf(alice, bob);
        const everyone = (await alice.get<Role[]>(`/servers/${room.server_id}/roles`)).body.find(
          ({ is_default }) => is_default,
        );
        const may = (permissions: number) =>
          alice.patch(`/servers/${room.server_id}/roles/${everyone?.id}`, { permissions });
        const listening = permission.VIEW_CHANNEL | permission.SEND_MESSAGES | permission.CONNECT_VOICE;
        const [hers, a] = await open(alice, room);
        const [his, b] = await open(bob, room);
        await join(a);
        await join(b);
        await tileOf(a, "bob").filter({ hasText: "Speaking" }).waitFor();
        await may(listening);
        await b.getByRole("button", { name: "Mute", disabled: true }).waitFor();
        await tileOf(a, "bob").filter({ hasText: "Muted" }).waitFor();
        await may(listening | permission.SPEAK_VOICE);
        await b.getByRole("button", { name: "Mute", disabled: false }).waitFor();
        await tileOf(a, "bob").filter({ hasText: "Speaking" }).waitFor();

        await b.getByRole("button", { name: "Settings" }).first().click();
        await b.getByRole("heading", { name: "Profile" }).waitFor();
        await toolbarOf(b).getByRole("button", { name: "Leave" }).click();
        await tileOf(a, "bob").waitFor({ state: "detached" });
        await toolbarOf(b).waitFor({ state: "detached" });
        await hers.close();
        await his.close();
      },
      patienceMs,
    );

    test(
      "who is sent away is told, and has nothing to join again; whose session ends joins again after signing in",
      async () => {
        const [alice, bob, carol] = [
          await house.person("alice"),
          await house.person("bob"),
          await house.person("carol"),
        ];
        const room = await roomOf(alice, bob, carol);
        await bob.makeServer("Bob's own");
        const [his, b] = await open(bob, room);
        await join(b);
        await alice.delete(`/servers/${room.server_id}/members/${bob.id}`);
        const bar = b.getByRole("region", { name: "In parlour" });
        await bar.getByText("You were put out of the room").waitFor();
        await eventually(() => b.getByRole("button", { name: "Join again" }).count()).toBe(0);
        await eventually(() => bar.getByRole("link").count()).toBe(0);
        await bar.getByRole("button", { name: "Close" }).click();
        await bar.waitFor({ state: "detached" });
        await until(
          () => b.evaluate<boolean>("document.activeElement !== document.body"),
          "the focus is lost",
        );
        await his.close();

        const [hers, page] = await open(carol, room);
        await join(page);
        await carol.post("/auth/logout");
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("textbox", { name: "Password" }).fill(carol.password);
        await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
        await page.getByRole("main").getByRole("button", { name: "Join again" }).click();
        await toolbarOf(page).getByRole("button", { name: "Mute" }).waitFor();
        await tileOf(page, "carol").filter({ hasText: "Speaking" }).waitFor();
        await hers.close();
      },
      patienceMs,
    );

    test(
      "at an address without https one listens, and is told why nobody hears one",
      async () => {
        const alice = await house.person("alice");
        const room = await roomOf(alice);
        const { port } = new URL(house.url);
        const watched = await Watched.open(browser, `http://chat.example:${port}`);
        watched.allow(/WebSocket|asked 127\.0\.0\.1|livekit/i);
        const page = await watched.page(addressOf(room), alice);
        await join(page);
        await page.getByText("on safe connections (https) only").waitFor();
        await tileOf(page, "alice").filter({ hasText: "You, muted" }).waitFor();
        await toolbarOf(page).getByRole("button", { name: "Deafen" }).waitFor();
        // Controls that cannot work there are left out, and their keys are free.
        for (const name of ["Mute", "Share screen", "Devices"])
          expect(await toolbarOf(page).getByRole("button", { name }).count()).toBe(0);
        await page.keyboard.press("Control+/");
        await page.getByRole("dialog").getByText("Stop listening, or listen again").waitFor();
        expect(await page.getByRole("dialog").getByText("Turn the microphone off or on").count()).toBe(0);
        await page.keyboard.press("Escape");
        await page.getByRole("main").getByRole("button", { name: "Close", exact: true }).click();
        await page.getByText("on safe connections (https) only").waitFor({ state: "detached" });
        await toolbarOf(page).getByRole("button", { name: "Leave" }).click();
        await page.getByRole("button", { name: "Join", exact: true }).waitFor();
        await watched.close();
      },
      patienceMs,
    );

    test(
      "on a phone one holds a button to talk, and from every other room the call is one touch away",
      async () => {
        const [alice, bob] = [await house.person("alice"), await house.person("bob")];
        const room = await roomOf(alice, bob);
        const [hers, page] = await open(alice, room, true);
        await page.getByRole("button", { name: "Join", exact: true }).tap();
        await page.getByRole("button", { name: "Devices" }).tap();
        await page.getByRole("switch", { name: "Push to talk" }).tap();
        await page.keyboard.press("Escape");
        const own = tileOf(page, "alice");
        await own.filter({ hasText: "You, listening" }).waitFor();
        await expectNoBarriers(page, [360]);
        const { x, y } = (await page.getByRole("button", { name: "Talk" }).boundingBox()) ?? { x: 0, y: 0 };
        const session = await hers.context.newCDPSession(page);
        const touch = (type: "touchStart" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
          session.send("Input.dispatchTouchEvent", { type, touchPoints });
        await touch("touchStart", [{ x: x + 20, y: y + 20 }]);
        await own.filter({ hasText: "Speaking" }).waitFor();
        await touch("touchEnd", []);
        await own.filter({ hasText: "You, listening" }).waitFor();

        await page.getByRole("button", { name: "Back to channels" }).tap();
        await page.getByRole("link", { name: "general" }).tap();
        await page.getByRole("main", { name: "general" }).waitFor();
        await expectNoBarriers(page, [360]);
        await page.getByRole("link", { name: "You are in parlour" }).tap();
        await toolbarOf(page).getByRole("button", { name: "Leave" }).tap();
        await page.getByRole("button", { name: "Join", exact: true }).waitFor();
        await hers.close();
      },
      patienceMs,
    );
  },
);

/** An init script: no sound is played before the button for it is pressed. */
const silence = `(() => {
  let isAllowed = false;
  addEventListener("click", ({ target }) => {
    if (target.closest("button")?.textContent.includes("Turn sound on")) isAllowed = true;
  }, true);
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    if (isAllowed || this.tagName !== "AUDIO") return play.call(this);
    return Promise.reject(new DOMException("not before a press", "NotAllowedError"));
  };
})();`;
