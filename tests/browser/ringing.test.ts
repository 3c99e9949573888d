// Calls that ring, in a real browser: the card on the page of the person who is called, and what the caller sees.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Conversation } from "../../features/channels/contract.ts";
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
