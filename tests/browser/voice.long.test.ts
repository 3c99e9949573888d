// Calls in real browsers: two people in a room, what each sees of the other, and what is shown without a call.
import { afterAll, beforeAll, describe, test } from "bun:test";
import type { Browser } from "playwright-core";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { freePort } from "../house/machine/port.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { inside } from "../house/scenes/parlour.ts";
import { LiveKitServer, livekitPath } from "../house/servers/livekit-server.ts";
import { expectNoBarriers } from "./axe.ts";
import { addressOf, roomOf, tileOf } from "./calling.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { Watched } from "./watched.ts";

const patienceMs = 400_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";
const withMedia = livekitPath ? "" : " (skipped: no LiveKit server here)";

describe.skipIf(!chromiumPath || !livekitPath)(`calls in Chromium${here || withMedia}`, () => {
  let media: LiveKitServer;
  let house: TestHouse;
  let browser: Browser;

  beforeAll(async () => {
    const port = await freePort();
    media = await LiveKitServer.make(port);
    await media.start();
    house = await makeHouse("SQLite", { AVATAR_URL: "off", PORT: String(port), ...media.settings });
    await house.open();
    browser = await launchChromium(
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
      "--autoplay-policy=no-user-gesture-required",
    );
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await house?.end();
    await media?.end();
  }, patienceMs);

  test(
    "Alice and Bob talk, mute, deafen, share a screen and go; what one does the other sees",
    async () => {
      const [alice, bob] = [await house.person("alice"), await house.person("bob")];
      const room = await roomOf(alice, bob);
      const hers = await Watched.open(browser, house.url);
      const his = await Watched.open(browser, house.url, { viewport: { width: 360, height: 740 } });
      const [a, b] = [await hers.page("/", alice), await his.page(addressOf(room), bob)];
      await b.getByRole("heading", { name: "Nobody is here yet" }).waitFor();
      await expectNoBarriers(b, [360]);
      await a.getByRole("button", { name: "parlour", exact: true }).click();
      const toolbar = a.getByRole("toolbar", { name: "Voice" });
      await toolbar.getByRole("button", { name: "Mute" }).waitFor();
      await tileOf(b, "alice").waitFor();
      await b.getByRole("button", { name: "Join", exact: true }).click();
      await tileOf(a, "bob").filter({ hasText: "Speaking" }).waitFor();

      await b.getByRole("button", { name: "Mute" }).click();
      await tileOf(a, "bob").filter({ hasText: "Muted" }).waitFor();
      const states = async () =>
        (await inside(alice, room.id)).map(({ display_name, muted, deafened }) => [
          display_name,
          muted,
          deafened,
        ]);
      await until(async () => String(await states()) === "alice,false,false,bob,true,false", "not told");
      await toolbar.getByRole("button", { name: "Deafen" }).click();
      await tileOf(b, "alice").filter({ hasText: "Does not listen" }).waitFor();
      await until(async () => String(await states()) === "alice,true,true,bob,true,false", "not told");
      await toolbar.getByRole("button", { name: "Deafen" }).click();
      await until(async () => String(await states()) === "alice,false,false,bob,true,false", "not told");

      await toolbar.getByRole("button", { name: "Share screen" }).click();
      await b.getByText("alice is sharing a screen").waitFor();
      await until(() => b.evaluate<boolean>("document.querySelector('video')?.videoWidth > 0"), "no picture");
      await b.getByRole("button", { name: "Volume of alice" }).click();
      await b.getByRole("slider", { name: "Volume of alice" }).fill("0.5");
      await b.getByText("50%").waitFor();
      await b.keyboard.press("Escape");
      await expectNoBarriers(a);
      await toolbar.getByRole("button", { name: "Share screen" }).click();
      await b.getByText("alice is sharing a screen").waitFor({ state: "detached" });

      // The call goes on while she is in another channel, and its keys work there.
      await a.getByRole("link", { name: "general" }).click();
      await a.getByRole("main", { name: "general" }).waitFor();
      await eventually(() => toolbar.count()).toBe(1);
      await a.keyboard.press("Control+Shift+M");
      await tileOf(b, "alice").filter({ hasText: "Muted" }).waitFor();
      await toolbar.getByRole("button", { name: "Leave" }).click();
      await tileOf(b, "alice").waitFor({ state: "detached" });
      await toolbar.waitFor({ state: "detached" });
      await hers.close();
      await his.close();
    },
    patienceMs,
  );

  test(
    "Carol talks while she holds a key, is told that the call connects again, and is put out when she loses the right",
    async () => {
      const [alice, carol] = [await house.person("alice"), await house.person("carol")];
      const room = await roomOf(alice, carol);
      const hers = await Watched.open(browser, house.url);
      hers.allow(/WebSocket|asked 127\.0\.0\.1|Failed to load resource|livekit/i);
      const page = await hers.page(addressOf(room), carol);
      await page.getByRole("button", { name: "Join", exact: true }).click();
      await page.getByRole("button", { name: "Devices" }).click();
      await page.getByRole("switch", { name: "Push to talk" }).click();
      await page.getByRole("button", { name: "Key: F8" }).waitFor();
      await page.keyboard.press("Escape");
      const own = tileOf(page, "carol");
      await own.filter({ hasText: "You, listening" }).waitFor();
      await page.keyboard.down("F8");
      await own.filter({ hasText: "Speaking" }).waitFor();
      // The button moves into the bar meanwhile, and releases nothing that it does not hold.
      await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "general" }).click();
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.getByRole("region", { name: "In parlour" }).getByRole("link", { name: "parlour" }).click();
      await own.filter({ hasText: "Speaking" }).waitFor();
      await page.keyboard.up("F8");
      await own.filter({ hasText: "You, listening" }).waitFor();

      const heard = (text: string) =>
        page.locator("#announcer").getByText(text, { exact: true }).waitFor({ state: "attached" });
      for (const said of ["You are muted", "You are not muted any more"]) {
        await page.keyboard.press("Control+Shift+m");
        await heard(said);
      }
      for (const said of ["You do not listen any more", "You listen again"]) {
        await page.keyboard.press("Control+Shift+d");
        await heard(said);
      }

      await media.stop();
      await page.getByRole("main").getByText("Connecting again", { exact: true }).waitFor();
      await media.start();
      await page.getByRole("button", { name: "Mute", disabled: false }).waitFor();

      const everyone = (await alice.get<{ id: string }[]>(`/servers/${room.server_id}/roles`)).body[0];
      const permissions = permission.VIEW_CHANNEL | permission.SEND_MESSAGES;
      await alice.patch(`/servers/${room.server_id}/roles/${everyone?.id}`, { permissions });
      await page.getByText("You were put out of the room").waitFor();
      await hers.close();
    },
    patienceMs,
  );

  test(
    "Dora, who has no microphone, hears the others and is told so",
    async () => {
      const silent = await launchChromium("--use-fake-ui-for-media-stream");
      const dora = await house.person("dora");
      const room = await roomOf(dora);
      const hers = await Watched.open(silent, house.url);
      const page = await hers.page(addressOf(room), dora);
      await page.getByRole("button", { name: "Join", exact: true }).click();
      await page.getByText("No microphone was found.").waitFor();
      await page.getByRole("toolbar", { name: "Voice" }).getByRole("button", { name: "Leave" }).click();
      await page.getByRole("button", { name: "Join", exact: true }).waitFor();
      await hers.close();
      await silent.close();
    },
    patienceMs,
  );
});

describe.skipIf(!chromiumPath)(`rooms without a call in Chromium${here}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream");
  }, patienceMs);
  afterAll(() => browser?.close(), patienceMs);

  test(
    "a media service that takes nobody in is said in the room, and everything else goes on",
    async () => {
      const double = new LiveKitDouble();
      const house = await makeHouse("SQLite", { AVATAR_URL: "off", ...double.settings });
      await house.open();
      const alice = await house.person("alice");
      const room = await roomOf(alice);
      const hers = await Watched.open(browser, house.url);
      hers.allow(/WebSocket|asked 127\.0\.0\.1|Failed to load resource|CORS/i);
      const page = await hers.page("/", alice);
      await page.getByRole("button", { name: room.name, exact: true }).click();
      await page.getByText("The voice service cannot be reached.").waitFor();
      await page.getByRole("button", { name: "Join again" }).waitFor();
      await page.getByRole("main").getByRole("button", { name: "Close", exact: true }).click();
      await page.getByRole("button", { name: "Join", exact: true }).waitFor();
      await hers.close();
      await house.end();
      double.stop();
    },
    patienceMs,
  );

  test(
    "a media service that is silent keeps nobody waiting: joining can be given up",
    async () => {
      const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
      const settings = {
        LIVEKIT_URL: `ws://127.0.0.1:${silent.port}`,
        LIVEKIT_API_KEY: "devkey",
        LIVEKIT_API_SECRET: "a secret of tests that is long enough for LiveKit",
      };
      const house = await makeHouse("SQLite", { AVATAR_URL: "off", ...settings });
      await house.open();
      const alice = await house.person("alice");
      const room = await roomOf(alice);
      const hers = await Watched.open(browser, house.url);
      hers.allow(/WebSocket|asked 127\.0\.0\.1|Failed to load resource|CORS/i);
      const page = await hers.page(addressOf(room), alice);
      await page.getByRole("button", { name: "Join", exact: true }).click();
      await page.getByRole("main").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Join", exact: true }).waitFor();
      await eventually(() => page.getByText("cannot be reached").count()).toBe(0);
      await hers.close();
      await house.end();
      silent.stop(true);
    },
    patienceMs,
  );

  test(
    "where voice is not set up, a room says who can set it up, and nothing joins it",
    async () => {
      const house = await makeHouse("SQLite", { AVATAR_URL: "off" });
      await house.open();
      const alice = await house.person("alice");
      const room = await roomOf(alice);
      const hers = await Watched.open(browser, house.url);
      const page = await hers.page(addressOf(room), alice);
      await page.getByRole("heading", { name: "Voice is not set up on this instance." }).waitFor();
      await page.getByText("Whoever runs the machine can set it up").waitFor();
      await eventually(() => page.getByRole("button", { name: /^(Join|parlour)$/ }).count()).toBe(0);
      await expectNoBarriers(page, [1280]);
      await hers.close();
      await house.end();
    },
    patienceMs,
  );
});
