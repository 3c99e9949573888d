// A part of the page breaks on malformed data from the server: the rest stays.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium, journey, rowOf, untilSo } from "./scene.ts";

/** The errors that malformed frames cause; they are reported, so that they can be found. */
const nonsense =
  /TypeError|RangeError|Error: Minified React|Objects are not valid|Cannot|undefined|not iterable/;

/** Keeps the sockets of the page, so that a test can speak in the server's place. */
const keepSockets = `
  const sockets = (globalThis.sockets = []);
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      sockets.push(this);
    }
  };
`;

/** Delivers all texts on one connection: another one may begin meanwhile. */
async function hear(page: Page, ...texts: string[]): Promise<void> {
  await page.evaluate(
    `{ const socket = sockets.at(-1); for (const data of ${JSON.stringify(texts)}) socket.dispatchEvent(new MessageEvent("message", { data })); }`,
  );
}

inChromium("a part that breaks", (scene) => {
  test(
    "a server that is confused: what makes no sense is passed over, and the rest goes on",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const first = await bob.say(general.id, "Before.");
      const watched = await scene.watched();
      watched.allow(nonsense);
      await watched.context.addInitScript(keepSockets);
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await rowOf(page, first).waitFor();
      // The part that validates frames is loaded after the first message.
      const sense = `performance.getEntriesByType("resource").find(({ name }) => /\\/sense-/.test(name))?.name`;
      await untilSo(page, `${sense} !== undefined`);
      await page.evaluate(`import(${sense}).then(() => {})`);
      for (const type of confusedTypes)
        for (const data of confusedData)
          await hear(page, JSON.stringify({ type, server_id: server.id, data }));
      await hear(page, JSON.stringify({ type: "<img src=x onerror=globalThis.hurt=1>", data: {} }));

      const second = await bob.say(general.id, "After.");
      await rowOf(page, second).getByText("After.").waitFor();
      await rowOf(page, first).getByText("Before.").waitFor();
      await page
        .getByRole("navigation", { name: "Channels" })
        .getByRole("link", { name: /^general/ })
        .waitFor();
      const box = page.getByRole("textbox", { name: "Message #general" });
      await box.fill("Still here.");
      await box.press("Enter");
      await page.locator("[data-message-id]").filter({ hasText: "Still here." }).waitFor();
      expect(await page.evaluate<unknown>("globalThis.hurt")).toBeUndefined();

      // An unparsable frame ends the connection, and another one begins.
      await hear(page, "", "null", "[]", "<html>", '{"type":');
      const third = await bob.say(general.id, "And on.");
      await rowOf(page, third).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a message that cannot be drawn is one line of the room, until it is another one",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const [first, second] = [await bob.say(general.id, "Before."), await bob.say(general.id, "Strange.")];
      const watched = await scene.watched();
      watched.allow(nonsense);
      await watched.context.route(`**/api/v1/channels/${general.id}/messages?**`, async (route) => {
        const answer = await route.fetch();
        const messages = (await answer.json()) as { id: string }[];
        const json = messages.map((each) =>
          each.id === second.id ? { ...each, content: { of: "nobody" } } : each,
        );
        await route.fulfill({ response: answer, json });
      });
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await rowOf(page, second).getByText("This message cannot be shown.").waitFor();
      await rowOf(page, first).getByText("Before.").waitFor();
      await bob.patch(`/messages/${second.id}`, { content: "Mended." });
      await rowOf(page, second).getByText("Mended.").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "an answer that makes no sense breaks its own part, which names the request and can be loaded again",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const watched = await scene.watched();
      watched.allow(nonsense);
      const page = await watched.page(`/servers/${server.id}/settings/overview`, alice);
      await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
      await page.route("**/api/v1/servers/*/invites**", (route) =>
        route.fulfill({ json: [null, { code: {} }], headers: { "X-Request-Id": "0190-strange" } }),
      );
      const nav = page.getByRole("navigation", { name: "Server settings" });
      await nav.getByRole("link", { name: "Invites" }).click();
      const fault = page.getByRole("alert").filter({ hasText: "This part of the page broke." });
      await fault.getByText("0190-strange").waitFor();
      await nav.getByRole("link", { name: "Overview" }).waitFor();
      await page.unroute("**/api/v1/servers/*/invites**");
      await fault.getByRole("button", { name: "Reload this part" }).press("Enter");
      await page.getByRole("heading", { name: "Invites", exact: true }).waitFor();
      await fault.waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );
});

/** Every type that the gateway sends, except READY; and some that it never sends. */
const confusedTypes =
  "MESSAGE_CREATE MESSAGE_UPDATE MESSAGE_DELETE REACTION_ADD REACTION_REMOVE CHANNEL_CREATE CHANNEL_UPDATE CHANNEL_DELETE ROLE_CREATE ROLE_UPDATE ROLE_DELETE SERVER_CREATE SERVER_UPDATE SERVER_DELETE SERVER_MEMBER_ADD SERVER_MEMBER_UPDATE BOT_JOIN BOT_LEAVE USER_UPDATE ME_UPDATE PRESENCE_UPDATE TYPING_START VOICE_JOIN VOICE_LEAVE VOICE_MUTE VOICE_DEAFEN CALL_RING CALL_END READ_STATE_UPDATE NOTIFICATION_SETTINGS_UPDATE BLOCKS_UPDATE SESSIONS_UPDATE PUSH_SUBSCRIPTIONS_UPDATE RESUMED __proto__ constructor".split(
    " ",
  );

const confusedData: readonly unknown[] = [
  null,
  7,
  "<img src=x onerror=globalThis.hurt=1>",
  [],
  {},
  undefined,
];
