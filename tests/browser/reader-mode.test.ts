// Reader mode: what is read, changed and reached in pages as in the list.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import type { TestPerson } from "../house/people/people.ts";
import { boxOf } from "./composing.ts";
import { cutAnew } from "./cut-anew.ts";
import { eventually } from "./eventually.ts";
import { canLookAway } from "./looking-away.ts";
import { focusedMessage, inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";
import { follow } from "./watching-rows.ts";

inChromium("reader mode", (scene) => {
  /** Bob's browser shows pages; `open` leads it to a channel in which Alice has talked. */
  async function inPages(count: number) {
    const { alice, bob, server, general } = await scene.twoPeople();
    const said: Message[] = [];
    for (let i = 0; i < count; i++) said.push(await alice.say(general.id, `message ${i}.`));
    const watched = await scene.watched(withoutWorker);
    await watched.context.addInitScript(canLookAway);
    const page = await watched.page("/settings/accessibility", bob);
    const reads = page.getByRole("switch", { name: "Reader mode" });
    await reads.click();
    await reads.and(page.locator("[aria-checked=true]")).waitFor();
    const path = `/servers/${server.id}/channels/${general.id}`;
    return { alice, bob, general, said, watched, page, path };
  }

  async function markerOf(person: TestPerson, channelId: string): Promise<string | null | undefined> {
    const ear = await person.listen();
    const { read_states } = ear.ready as unknown as {
      read_states: { channel_id: string; last_read_id: string | null }[];
    };
    ear.close();
    return read_states.find((state) => state.channel_id === channelId)?.last_read_id;
  }

  const older = (page: Page) => page.getByRole("button", { name: "Older", exact: true });

  test(
    "the end of the newest page is read, reactions come and go, and a message that is deleted is away",
    async () => {
      const { alice, bob, general, said, watched, page, path } = await inPages(10);
      await page.goto(path);
      const last = said[9] as Message;
      await rowOf(page, last).waitFor();
      await eventually(async () => {
        await page.evaluate("aSecondPasses()");
        return markerOf(bob, general.id);
      }).toBe(last.id);
      const put = (person: TestPerson) => person.post(`/messages/${last.id}/reactions`, { emoji: "🍲" });
      await put(alice);
      const reaction = rowOf(page, last).getByRole("button", { name: /🍲/ });
      await reaction.waitFor();
      await reaction.click();
      await reaction.and(page.locator("[aria-pressed=true]")).waitFor();
      const own = await bob.say(general.id, "Soup?");
      await rowOf(page, own).focus();
      await page.keyboard.press("Delete");
      await rowOf(page, own).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await rowOf(page, own).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a link leads to its message, keys from row to row, and Escape and an own message to the newest page",
    async () => {
      const { bob, general, said, watched, page, path } = await inPages(130);
      await page.goto(`${path}/messages/${said[40]?.id}`);
      await eventually(() => focusedMessage(page)).toBe(said[40]?.id as string);
      await page.keyboard.press("ArrowDown");
      await eventually(() => focusedMessage(page)).toBe(said[41]?.id as string);
      await eventually(() => page.locator('#messages article[tabindex="0"]').count()).toBe(1);
      await follow(page, `${path}/messages/${said[5]?.id}`);
      await eventually(() => focusedMessage(page)).toBe(said[5]?.id as string);
      // From a row to the box, then to the newest page, and there it is read.
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await rowOf(page, said[129] as Message).waitFor();
      await eventually(async () => {
        await boxOf(page).press("Escape");
        return markerOf(bob, general.id);
      }).toBe(said[129]?.id as string);
      await older(page).click();
      await rowOf(page, said[0] as Message).waitFor();
      await boxOf(page).fill("Soup?");
      await boxOf(page).press("Enter");
      await page.getByRole("article").filter({ hasText: "Soup?" }).waitFor();
      await rowOf(page, said[129] as Message).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "many new messages are read once all pages were shown, and a new connection moves nobody",
    async () => {
      const { alice, bob, general, said, watched, page, path } = await inPages(130);
      const cut = await cutAnew(watched);
      const [first, middle, last] = [said[0], said[70], said[129]] as [Message, Message, Message];
      await page.goto(path);
      await rowOf(page, last).waitFor();
      await older(page).click();
      await rowOf(page, first).waitFor();
      await page.getByRole("button", { name: "Newer", exact: true }).click();
      await rowOf(page, last).waitFor();
      await eventually(async () => {
        await page.evaluate("aSecondPasses()");
        return markerOf(bob, general.id);
      }).toBe(last.id);

      await rowOf(page, middle).focus();
      const top = () =>
        page.evaluate<number>("document.querySelector('article').closest('section').scrollTop");
      const before = await top();
      cut();
      const later = await alice.say(general.id, "While you were away.");
      await rowOf(page, later).waitFor();
      expect(await top()).toBe(before);
      await watched.close();
    },
    journey,
  );

  test(
    "a first page that does not come is tried again, and what comes is said",
    async () => {
      const { alice, general, said, watched, page, path } = await inPages(3);
      watched.allow(/status of 503/);
      await page.route("**/messages?*", (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
      await page.goto(path);
      await page.getByRole("button", { name: "Try again" }).click();
      await rowOf(page, said[2] as Message).waitFor();
      await page.evaluate(`{
        globalThis.spoken = "";
        const note = (changes) => {
          for (const { addedNodes } of changes)
            for (const { textContent } of addedNodes) globalThis.spoken += textContent + "\\n";
        };
        new MutationObserver(note).observe(document.querySelector("#announcer"), { childList: true });
      }`);
      await alice.say(general.id, "the kettle is on");
      await eventually(() => page.evaluate<string>("spoken")).toContain("alice: the kettle is on");
      expect(await page.getByRole("article").count()).toBe(4);
      await watched.close();
    },
    journey,
  );
});
