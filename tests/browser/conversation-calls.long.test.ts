// Calls in conversations in real browsers, by a real media service: one calls, the other answers, and both go.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Conversation } from "../../features/channels/contract.ts";
import { freePort } from "../house/machine/port.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { LiveKitServer, livekitPath } from "../house/servers/livekit-server.ts";
import { expectNoBarriers } from "./axe.ts";
import { toolbarOf } from "./calling.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { untilPart } from "./scene.ts";
import { Watched } from "./watched.ts";

const patienceMs = 400_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";
const withMedia = livekitPath ? "" : " (skipped: no LiveKit server here)";

describe.skipIf(!chromiumPath || !livekitPath)(`calls in conversations${here || withMedia}`, () => {
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
    "Alice calls Bob, who declines, and then answers; they hear each other above their messages; she goes, he stays",
    async () => {
      const [alice, bob] = [await house.person("alice"), await house.person("bob")];
      const server = await alice.makeServer("The house");
      await alice.bringIn(server.id, bob);
      const { id } = (await alice.post<Conversation>("/direct", { user_ids: [bob.id] })).body;
      const hers = await Watched.open(browser, house.url);
      const his = await Watched.open(browser, house.url, { viewport: { width: 360, height: 740 } });
      const a = await hers.page(`/direct/${id}`, alice);
      const b = await his.page(`/servers/${server.id}/channels/${server.general.id}`, bob);
      await untilPart(b, "ringing-watch");
      const call = a.getByRole("button", { name: "Call", exact: true });
      await call.click();
      await a.getByText("Calling bob …").waitFor();
      const card = b.getByRole("dialog", { name: "alice is calling" });
      await card.getByRole("button", { name: "Decline" }).click();
      await a.getByText("bob declined").waitFor();
      await call.click();
      await card.getByRole("button", { name: "Answer" }).click();
      await tileIn(a, "bob", "bob").filter({ hasText: "Speaking" }).waitFor();
      await tileIn(b, "alice", "alice").filter({ hasText: "Speaking" }).waitFor();
      expect(await a.getByText(/Calling|declined/).count()).toBe(0);
      await b.getByRole("textbox", { name: "Message alice", exact: true }).waitFor();
      await expectNoBarriers(a, [1280]);
      await expectNoBarriers(b, [360]);
      await toolbarOf(a).getByRole("button", { name: "Mute" }).click();
      await tileIn(b, "alice", "alice").filter({ hasText: "Muted" }).waitFor();

      // The call goes on in a channel of a server, where its bar leads back.
      await a.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: "The house" }).click();
      await a.getByRole("main", { name: "general" }).waitFor();
      await toolbarOf(a).getByRole("button", { name: "Leave" }).waitFor();
      await a.getByRole("region", { name: "In bob" }).getByRole("link", { name: "bob" }).click();
      await toolbarOf(a).getByRole("button", { name: "Leave" }).click();
      await a.getByText("bob is in the call").waitFor();
      await tileIn(b, "alice", "alice").waitFor({ state: "detached" });
      await toolbarOf(b).getByRole("button", { name: "Leave" }).click();
      await a.getByText("bob is in the call").waitFor({ state: "detached" });
      await hers.close();
      await his.close();
    },
    patienceMs,
  );

  test(
    "who hangs up before anybody answers takes the ringing along",
    async () => {
      const [alice, bob] = [await house.person("alice"), await house.person("bob")];
      const server = await alice.makeServer("The house");
      await alice.bringIn(server.id, bob);
      const { id } = (await alice.post<Conversation>("/direct", { user_ids: [bob.id] })).body;
      const ear = await bob.listen();
      const hers = await Watched.open(browser, house.url);
      const page = await hers.page(`/direct/${id}`, alice);
      await page.getByRole("button", { name: "Call", exact: true }).click();
      await ear.next("CALL_RING");
      await toolbarOf(page).getByRole("button", { name: "Leave" }).click();
      expect((await ear.next("CALL_END")).data).toMatchObject({ reason: "ended" });
      await hers.close();
    },
    patienceMs,
  );
});

/** The person in the call of the conversation called `room`; the messages below it are items of a list, too. */
function tileIn(page: Page, room: string, name: string) {
  const call = page.getByRole("main").getByRole("region", { name: `In ${room}` });
  return call.getByRole("listitem").filter({ hasText: name });
}
