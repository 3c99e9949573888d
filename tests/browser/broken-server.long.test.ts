// A faulty server: too slow, broken off, malformed. The page says what is wrong, and typed text is not lost.
import { expect, test } from "bun:test";
import type { WebSocketRoute } from "playwright-core";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { forgetKept, untilKept } from "./kept.ts";
import { inChromium, journey } from "./scene.ts";

inChromium("a server that is not itself", (scene) => {
  async function home() {
    const alice = await scene.person("alice");
    const server = await alice.makeServer("The kitchen");
    await alice.say(server.general.id, "the first word");
    const watched = await scene.watched();
    return { alice, server, watched, path: `/servers/${server.id}/channels/${server.general.id}` };
  }

  test(
    "parts of the page do not come for a while: what is open goes on, and a menu comes as soon as it can",
    async () => {
      const { alice, watched, path } = await home();
      watched.allow(/net::ERR_FAILED/);
      // They are requested right after the first message: blocked only then, they could be loaded already.
      const parts = /assets\/(menu-overlay|menus|popover-overlay|picker-overlay)-/;
      const back = Promise.withResolvers<void>();
      // Waits until the menu was seen: the emoji would open over it.
      const seen = Promise.withResolvers<void>();
      const refused = new Set<string>();
      // Each is blocked once, and then delayed: after three failures in a row the page would give it up.
      await watched.context.route(parts, async (route) => {
        const url = route.request().url();
        if (!refused.has(url)) {
          refused.add(url);
          return route.abort();
        }
        await (url.includes("/menu") ? back : seen).promise;
        return route.continue();
      });
      const page = await watched.page(path, alice);
      await page.locator("[data-message-id]").waitFor();
      await page.getByRole("button", { name: "You", exact: true }).click();
      await boxOf(page).fill("written meanwhile");
      await page.getByRole("button", { name: "Emoji", exact: true }).click();
      expect(await boxOf(page).inputValue()).toBe("written meanwhile");
      expect(await page.getByRole("menu").count()).toBe(0);
      back.resolve();
      await page.getByRole("menuitem", { name: "Set status", exact: true }).waitFor();
      seen.resolve();
      await page.getByRole("dialog", { name: "Emoji" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "answers are errors, pages of a proxy, or nothing that makes sense: each is said, can be tried again, and keeps what was typed",
    async () => {
      const { alice, watched, path } = await home();
      watched.allow(/status of 50\d/);
      const page = await watched.page("/", alice);
      await boxOf(page).waitFor();
      const answers = [
        { status: 500, json: { error: "internal", code: "internal", request_id: "req-77" } },
        { status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" },
        { status: 200, contentType: "text/html", body: "<h1>Sign in to the hotel's network</h1>" },
      ];
      for (const answer of answers) {
        await page.route("**/api/v1/channels/*/messages*", (route) => route.fulfill(answer));
        await forgetKept(page);
        await page.goto(path);
        await page.getByRole("heading", { name: "These messages did not load" }).waitFor();
        if (answer.json) await page.getByText("request req-77").waitFor();
        await boxOf(page).fill("typed all the same");
        await page.unroute("**/api/v1/channels/*/messages*");
        await page.getByRole("button", { name: "Try again" }).click();
        await page.locator("[data-message-id]").filter({ hasText: "the first word" }).waitFor();
        await eventually(() => boxOf(page).inputValue()).toBe("typed all the same");
      }
      await watched.close();
    },
    journey,
  );

  test(
    "newer messages that do not come stand behind what was kept: that is said as long as it is so",
    async () => {
      const { alice, server, watched, path } = await home();
      watched.allow(/status of 50\d/);
      const page = await watched.page(path, alice);
      const row = (text: string) => page.locator("[data-message-id]").filter({ hasText: text });
      await row("the first word").waitFor();
      await untilKept(page, server.general.id);
      await page.goto("about:blank");
      await alice.say(server.general.id, "said since");
      await page.route("**/api/v1/channels/*/messages*", (route) => route.fulfill({ status: 503 }));
      // The kept messages are shown only where READY is not faster.
      const shown = Promise.withResolvers<void>();
      await page.routeWebSocket("**/ws", async (socket) => {
        await shown.promise;
        socket.connectToServer();
      });
      await page.goto(path);
      await row("the first word").waitFor();
      shown.resolve();
      const notice = page.getByRole("status").getByText("Newer messages do not load");
      await notice.waitFor();
      await page.unroute("**/api/v1/channels/*/messages*");
      await row("said since").waitFor();
      await notice.waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "frames that are none, or say nonsense, take nothing along: what came with them is there",
    async () => {
      const { alice, server, watched, path } = await home();
      // Malformed frames are reported.
      watched.allow(/TypeError|undefined|not iterable|WebSocket/);
      let socket: WebSocketRoute | undefined;
      await watched.context.routeWebSocket("**/ws", (near) => {
        socket = near;
        const far = near.connectToServer();
        near.onMessage((text) => far.send(text));
        far.onMessage((text) => near.send(text));
      });
      const page = await watched.page(path, alice);
      await boxOf(page).fill("half a sentence");
      const nonsense = [
        { type: "MESSAGE_CREATE", data: null, server_id: server.id, ts: "" },
        { type: "MESSAGE_UPDATE", data: { id: 7 }, server_id: server.id, ts: "" },
        { type: "CHANNEL_UPDATE", data: [], server_id: server.id, ts: "" },
        { type: "MEMBER_UPDATE", server_id: server.id, ts: "" },
        { type: "PRESENCE_UPDATE", data: "here", server_id: server.id },
        { type: "TYPING_START", data: null },
        { type: "NOBODY_KNOWS", data: {} },
        { type: 7 },
      ];
      for (const frame of nonsense) socket?.send(JSON.stringify(frame));
      await alice.say(server.general.id, "said in between");
      await page.locator("[data-message-id]").filter({ hasText: "said in between" }).waitFor();
      socket?.send("no frame at all {");
      await alice.say(server.general.id, "said afterwards");
      await page.locator("[data-message-id]").filter({ hasText: "said afterwards" }).waitFor();
      await eventually(() => boxOf(page).inputValue()).toBe("half a sentence");
      await watched.close();
    },
    journey,
  );

  test(
    "the connection is given to another place, or not understood: the page says so, and goes on when it is told to",
    async () => {
      const { alice, watched, path } = await home();
      let socket: WebSocketRoute | undefined;
      await watched.context.routeWebSocket("**/ws", (near) => {
        socket = near;
        near.connectToServer();
      });
      const page = await watched.page(path, alice);
      await boxOf(page).waitFor();
      const status = page.getByRole("status", { name: "Connection" });
      for (const [code, sentence] of [
        [4011, "Hearth is open in many other places"],
        [4002, "do not understand each other"],
      ] as const) {
        await socket?.close({ code });
        await status.getByText(sentence).waitFor();
        await status.getByRole("button", { name: "Try now" }).click();
        await status.waitFor({ state: "detached" });
      }
      await boxOf(page).fill("here again");
      await boxOf(page).press("Enter");
      await page.locator("[data-message-id]").filter({ hasText: "here again" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a server that takes its time is waited for, and that is said; a page is never blank",
    async () => {
      const { alice, watched, path } = await home();
      await watched.context.routeWebSocket("**/ws", () => {});
      await watched.context.route("**/api/v1/instance", () => {});
      const page = await watched.page(path, alice);
      await page.getByRole("heading", { name: "Connecting" }).waitFor();
      await watched.context.unrouteAll();
      await watched.close();
    },
    journey,
  );
});
