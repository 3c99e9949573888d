// Calls that ring, in a real browser: the card on the page of the person who is called, and what the caller sees.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Channel, Conversation } from "../../features/channels/contract.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import type { TestPerson } from "../house/people/people.ts";
import { askToken } from "../house/scenes/parlour.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, type Scene, untilPart } from "./scene.ts";
import { phone } from "./touch.ts";
import { withoutWorker } from "./watched.ts";

const media = new LiveKitDouble();

/** The double of the media service talks to servers, not to browsers. */
const mediaIsADouble = /WebSocket|asked 127\.0\.0\.1|Failed to load resource|CORS|livekit/i;

async function talk(scene: Scene, alice: TestPerson, ...others: TestPerson[]): Promise<Conversation> {
  media.webhookUrl = `${scene.url}/api/v1/voice/webhook`;
  return (await alice.post<Conversation>("/direct", { user_ids: others.map(({ id }) => id) })).body;
}

const ring = (caller: TestPerson, { id }: Conversation) => caller.post(`/channels/${id}/call`);

const cardOf = (page: Page, name: string) => page.getByRole("dialog", { name: `${name} is calling` });

inChromium(
  "calls that ring",
  (scene) => {
    test(
      "a call takes no focus, is in the title, is the next stop of F6, and is declined by a key",
      async () => {
        const { alice, bob, server } = await scene.twoPeople();
        const conversation = await talk(scene, alice, bob);
        const hers = await alice.listen();
        const { watched, page } = await scene.open(bob, server, withoutWorker);
        await untilPart(page, "ringing-watch");
        const box = page.getByRole("textbox", { name: "Message #general" });
        await box.fill("I am writ");
        expect((await ring(alice, conversation)).status).toBe(204);
        const card = cardOf(page, "alice");
        await card.waitFor();
        await page.keyboard.type("ing");
        expect(await box.inputValue()).toBe("I am writing");
        await eventually(() => page.title()).toMatch(/alice is calling · general/);
        await card.getByText(/^Direct call, \d+ s$/).waitFor();
        await page.keyboard.press("Escape");
        expect(await card.count()).toBe(1);
        await expectNoBarriers(page, [360, 1280]);
        await page.keyboard.press("F6");
        await card.getByRole("button", { name: "Decline" }).press("Enter");
        await card.waitFor({ state: "detached" });
        expect((await hers.next("CALL_END")).data as object).toEqual({
          channel_id: conversation.id,
          reason: "declined",
        });
        await eventually(() => page.title()).toMatch(/^general/);
        await eventually(() => page.evaluate<boolean>("document.activeElement !== document.body")).toBe(true);
        await watched.close();
      },
      journey,
    );

    test(
      "a call that was answered on another device, or taken back, rings no more",
      async () => {
        const { alice, bob, server } = await scene.twoPeople();
        const carol = await scene.person("carol");
        await alice.bringIn(server.id, carol);
        const group = await talk(scene, alice, bob, carol);
        const { watched, page } = await scene.open(bob, server, withoutWorker);
        await untilPart(page, "ringing-watch");
        await ring(alice, group);
        const card = cardOf(page, "alice");
        await card.getByText(/^alice, carol, \d+ s$/).waitFor();
        const { token } = (await askToken(bob, group.id)).body;
        await media.join(token);
        await card.waitFor({ state: "detached" });
        const pair = await talk(scene, carol, bob);
        await ring(carol, pair);
        await cardOf(page, "carol").waitFor();
        await carol.delete(`/channels/${pair.id}/call`);
        await cardOf(page, "carol").waitFor({ state: "detached" });
        await watched.close();
      },
      journey,
    );

    test(
      "a page that opens while it rings shows the call, on a phone too, and answering leads to the conversation",
      async () => {
        const { alice, bob, server } = await scene.twoPeople();
        const conversation = await talk(scene, alice, bob);
        await ring(alice, conversation);
        const watched = await scene.watched({ ...phone, ...withoutWorker });
        watched.allow(mediaIsADouble);
        const page = await watched.page(`/servers/${server.id}`, bob);
        const card = cardOf(page, "alice");
        await card.waitFor();
        await card.getByRole("button", { name: "Answer" }).tap();
        await page.waitForURL(new RegExp(`/direct/${conversation.id}$`));
        await card.waitFor({ state: "detached" });
        const room = page.getByRole("main", { name: "alice", exact: true });
        await room.getByText("The voice service cannot be reached.").waitFor();
        await room.getByRole("button", { name: "Join again" }).waitFor();
        await expectNoBarriers(page, []);
        await watched.close();
      },
      journey,
    );

    test(
      "the button Call rings the other; what keeps its caller out ends the ringing; who talks there is shown, with a way in",
      async () => {
        const { alice, bob } = await scene.twoPeople();
        const conversation = await talk(scene, alice, bob);
        const his = await bob.listen();
        const watched = await scene.watched(withoutWorker);
        watched.allow(mediaIsADouble);
        const page = await watched.page(`/direct/${conversation.id}`, alice);
        const room = page.getByRole("main", { name: "bob", exact: true });
        await room.getByRole("button", { name: "Call", exact: true }).click();
        expect((await his.next("CALL_RING")).data).toMatchObject({ user_id: alice.id });
        await room.getByText("The voice service cannot be reached.").waitFor();
        expect((await his.next("CALL_END")).data).toMatchObject({ reason: "ended" });
        await room.getByRole("button", { name: "Close", exact: true }).click();
        const { token } = (await askToken(bob, conversation.id)).body;
        await media.join(token);
        await room.getByText("bob is in the call").waitFor();
        await expectNoBarriers(page, [360, 1280]);
        await room.getByRole("button", { name: "Join", exact: true }).waitFor();
        await media.leave(conversation.id, bob.id);
        await room.getByText("bob is in the call").waitFor({ state: "detached" });
        await alice.put(`/blocks/${bob.id}`);
        await room.getByRole("button", { name: "Call", exact: true }).waitFor({ state: "detached" });
        await watched.close();
      },
      journey,
    );

    /** A page on a conversation of Alice's, whose call waits for the server and whose rooms let nobody in for now. */
    async function opened() {
      const { alice, bob, server, general } = await scene.twoPeople();
      const conversation = await talk(scene, alice, bob);
      const room = { server_id: server.id, name: "parlour", type: "voice" };
      const parlour = (await alice.post<Channel>("/channels", room)).body;
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/direct/${conversation.id}`, alice);
      const rooms: string[] = [];
      await page.route("**/voice/token", (route) => {
        rooms.push(route.request().postDataJSON().room_name);
      });
      const asked = Promise.withResolvers<Route>();
      await page.route(`**/channels/${conversation.id}/call`, (route) => asked.resolve(route), { times: 1 });
      const call = page
        .getByRole("main", { name: "bob", exact: true })
        .getByRole("button", { name: "Call", exact: true });
      return {
        alice,
        bob,
        server,
        general,
        conversation,
        parlour,
        watched,
        page,
        rooms,
        asked: asked.promise,
        call,
      };
    }

    test(
      "a caller who joins another room before the server has answered stays there, and the call is taken back",
      async () => {
        const { bob, parlour, watched, page, rooms, asked, call } = await opened();
        const his = await bob.listen();
        await call.click();
        const route = await asked;
        await call.and(page.locator("[aria-disabled=true]")).waitFor();
        await page
          .getByRole("navigation", { name: "Servers" })
          .getByRole("link", { name: "The kitchen" })
          .click();
        await page.getByRole("button", { name: "parlour", exact: true }).click();
        await page.getByRole("main", { name: "parlour" }).getByRole("button", { name: "Cancel" }).waitFor();
        await eventually(async () => rooms).toEqual([parlour.id]);
        await route.continue();
        await his.next("CALL_RING");
        expect((await his.next("CALL_END")).data).toMatchObject({ reason: "ended" });
        await page.getByRole("main", { name: "parlour" }).getByRole("button", { name: "Cancel" }).waitFor();
        expect(rooms).toEqual([parlour.id]);
        await watched.close();
      },
      journey,
    );

    test(
      "a call that is declined before the server's answer arrives rings no more for its caller",
      async () => {
        const { alice, bob, conversation, watched, page, rooms, asked, call } = await opened();
        const hers = await alice.listen();
        const his = await bob.listen();
        const opening = page.waitForEvent("websocket");
        const heard = async (type: string) =>
          (await opening).waitForEvent("framereceived", ({ payload }) => String(payload).includes(type));
        const ready = heard('"READY"');
        const ended = heard('"CALL_END"');
        await page.reload();
        // The stored copy of the page can be pressed before that.
        await ready;
        await call.click();
        const route = await asked;
        const response = await route.fetch();
        await his.next("CALL_RING");
        await bob.delete(`/channels/${conversation.id}/call`);
        expect((await hers.next("CALL_END")).data).toMatchObject({ reason: "declined" });
        await ended;
        await route.fulfill({ response });
        await page
          .getByRole("main", { name: "bob", exact: true })
          .getByRole("button", { name: "Cancel" })
          .waitFor();
        await eventually(async () => rooms).toEqual([conversation.id]);
        await eventually(() => call.getAttribute("aria-disabled")).toBe(null);
        await watched.close();
      },
      journey,
    );

    test(
      "whoever calls others stops ringing those whom they called before",
      async () => {
        const { alice, bob, server } = await scene.twoPeople();
        const carol = await scene.person("carol");
        await alice.bringIn(server.id, carol);
        const first = await talk(scene, alice, bob);
        const second = await talk(scene, alice, carol);
        const his = await bob.listen();
        const watched = await scene.watched(withoutWorker);
        const page = await watched.page(`/direct/${first.id}`, alice);
        await page.route("**/voice/token", () => {});
        const call = (name: string) =>
          page.getByRole("main", { name, exact: true }).getByRole("button", { name: "Call", exact: true });
        await call("bob").click();
        await his.next("CALL_RING");
        await page.getByRole("main").getByRole("button", { name: "Cancel" }).waitFor();
        await page.locator(`a[href="/direct/${second.id}"]`).first().click();
        await call("carol").click();
        expect((await his.next("CALL_END")).data).toMatchObject({ reason: "ended" });
        await watched.close();
      },
      journey,
    );

    test(
      "Enter, which repeats while it is held and is needed in fields, does not become the key to talk with",
      async () => {
        const { server, general, watched, page } = await opened();
        await page.goto(`/servers/${server.id}/channels/${general.id}`);
        await page.getByRole("button", { name: "parlour", exact: true }).click();
        await page.getByRole("main", { name: "parlour" }).waitFor();
        await page.getByRole("link", { name: "general", exact: true }).click();
        await page.getByRole("toolbar", { name: "Voice" }).getByRole("button", { name: "Devices" }).click();
        await page.getByRole("switch", { name: "Push to talk" }).click();
        await page.getByRole("button", { name: "Key: F8" }).focus();
        const asks = page.getByRole("button", { name: "Press the key that you want" });
        await page.keyboard.down("Enter");
        await asks.waitFor();
        await page.keyboard.down("Enter");
        await page.keyboard.up("Enter");
        await page.keyboard.press("Enter");
        await page.evaluate("new Promise(requestAnimationFrame)");
        expect(await asks.count()).toBe(1);
        await page.keyboard.press("F9");
        await page.getByRole("button", { name: "Key: F9" }).waitFor();
        await watched.close();
      },
      journey,
    );

    test(
      "a call that is refused says why, and joins nothing",
      async () => {
        const { alice, bob } = await scene.twoPeople();
        const conversation = await talk(scene, alice, bob);
        await bob.put(`/blocks/${alice.id}`);
        const watched = await scene.watched(withoutWorker);
        watched.allow(/Failed to load resource/);
        const page = await watched.page(`/direct/${conversation.id}`, alice);
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
        expect(await page.getByRole("region", { name: "In bob" }).count()).toBe(0);
        await watched.close();
      },
      journey,
    );
  },
  () => media.settings,
);
