// Reactions up to the maximum, and messages that the server refuses.
import { expect, test } from "bun:test";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { held } from "./held.ts";
import { atBothAddresses, barOf, hasFocus, journey, rowOf, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

atBothAddresses("reactions and refusals", (scene) => {
  test(
    "Twenty kinds of emoji are all there is room for, and eight are shown; what failed to be sent waits for its writer",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const message = await bob.say(general.id, "Favourites?");
      for (const emoji of twenty) await bob.post(`/messages/${message.id}/reactions`, { emoji });
      const { watched, page } = await scene.open(alice, server, withoutWorker, /status of (403|429)/);
      const row = rowOf(page, message);
      await row.getByRole("button", { name: "Show 12 more" }).click();
      await eventually(() => row.getByRole("list", { name: "Reactions" }).getByRole("listitem").count()).toBe(
        22,
      );
      // Folded again, and opened by the same key.
      await row.getByRole("button", { name: "Show fewer" }).click();
      await eventually(() => row.getByRole("list", { name: "Reactions" }).getByRole("listitem").count()).toBe(
        10,
      );
      await untilSo(page, "document.activeElement?.getAttribute('aria-label') === 'Show 12 more'");
      await page.keyboard.press("Enter");
      await row.getByRole("button", { name: "Show fewer" }).waitFor();
      await eventually(() =>
        row.getByRole("button", { name: "Add a reaction" }).getAttribute("title"),
      ).toMatch(/^20 kinds/);
      const quick = (await barOf(row)).getByRole("button", { name: "React with 👍" });
      await eventually(() => quick.getAttribute("title")).toMatch(/^20 kinds/);
      await quick.click({ force: true });

      // Her permission ends while the message is being sent: the server's answer.
      let says: object | undefined = { error: "You may not write here.", code: "forbidden" };
      await page.route(`**/channels/${general.id}/messages`, async (route) => {
        if (route.request().method() !== "POST" || says === undefined) return route.continue();
        const status = "retry_after" in says ? 429 : 403;
        await route.fulfill({ status, json: says });
      });
      const write = boxOf(page);
      await write.fill("Cake.");
      await write.press("Enter");
      const failed = page.locator("[data-state=failed]");
      await failed.getByText("Not sent. You may not write here.").waitFor();
      await write.fill("Pie.");
      await write.press("Enter");
      await failed.nth(1).getByRole("button", { name: "Discard" }).click();
      says = undefined;
      await failed.getByRole("button", { name: "Send again" }).click();
      await until(() => hasFocus(page), "the focus was lost with the failed message");
      await page.locator("[data-message-id]").filter({ hasText: "Cake." }).waitFor();
      await eventually(() => failed.count()).toBe(0);

      says = { error: "Too fast.", code: "rate_limited", retry_after: 2 };
      await write.fill("Tea.");
      await write.press("Enter");
      await page
        .locator("[data-state=pending]")
        .getByText(/You are sending too fast; wait [12] sec/)
        .waitFor();
      says = undefined;
      await page.locator("[data-message-id]").filter({ hasText: "Tea." }).waitFor();
      const texts = (await bob.get<Message[]>(`/channels/${general.id}/messages`)).body.map(
        ({ content }) => content,
      );
      expect(texts).toEqual(["Tea.", "Cake.", "Favourites?"]);
      await watched.close();
    },
    journey,
  );

  test(
    "a reaction that is pressed again before its answer is taken back after it",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(general.id, "Favourites?");
      await bob.post(`/messages/${said.id}/reactions`, { emoji: "🍰" });
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const adding = await held(page, `**/messages/${said.id}/reactions`);
      const pill = (count: number, pressed: boolean) =>
        rowOf(page, said).getByRole("button", { name: `🍰 ${count}`, pressed });
      await pill(1, false).click();
      await adding.asked;
      await pill(2, true).click();
      await pill(1, false).waitFor();
      const removed = page.waitForResponse((answer) => answer.request().method() === "DELETE");
      await adding.answer();
      expect((await removed).status()).toBe(204);
      const { body } = await alice.get<Message>(`/messages/${said.id}`);
      expect(body.reactions).toMatchObject([{ emoji: "🍰", count: 1, me: false }]);
      await pill(1, false).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "an own reaction that is taken back by keys leaves the focus in its row",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(general.id, "Favourites?");
      await alice.post(`/messages/${said.id}/reactions`, { emoji: "🍰" });
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const pill = rowOf(page, said).getByRole("button", { name: "🍰 1" });
      await pill.focus();
      await page.keyboard.press("Enter");
      await pill.waitFor({ state: "detached" });
      await untilSo(page, `document.activeElement?.dataset.messageId === "${said.id}"`);
      await page.keyboard.press("Escape");
      await page.getByRole("toolbar", { name: "Message actions" }).waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "the seconds after which a message is tried again are counted down to the last one, and not shown as over before",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, withoutWorker, /status of 429/);
      const limited = Promise.withResolvers<void>();
      let asked = 0;
      await page.route(`**/channels/${general.id}/messages`, async (route) => {
        if (route.request().method() !== "POST" || ++asked > 1) return route.continue();
        await limited.promise;
        const json = { error: "Too fast.", code: "rate_limited", retry_after: 3 };
        await route.fulfill({ status: 429, json });
      });
      await page.clock.install();
      await boxOf(page).fill("Tea.");
      await boxOf(page).press("Enter");
      const pending = page.locator("[data-state=pending]");
      await pending.waitFor();
      await page.clock.pauseAt(Date.now() + 1000);
      limited.resolve();
      const wait = (seconds: number) =>
        pending.getByText(`You are sending too fast; wait ${seconds} sec`).waitFor();
      await wait(3);
      await page.clock.runFor(1250);
      await wait(2);
      await page.clock.runFor(1500);
      await wait(1);
      expect(asked).toBe(1);
      await page.clock.resume();
      await page.locator("[data-message-id]").filter({ hasText: "Tea." }).waitFor();
      expect(asked).toBe(2);
      await watched.close();
    },
    journey,
  );
});

const twenty = [..."😀😃😄😁😆😅😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙🥲"];
