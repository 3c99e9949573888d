// Landmarks, headings and the names of menus, by axe with its best practices; and the link that skips to the messages.
import { expect, test } from "bun:test";
import { expectBestPractices } from "./axe.ts";
import { barOf, focusedMessage, inChromium, journey, rowOf, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** An id that no server, channel or conversation has. */
const never = "0190f3a0-0000-7000-8000-000000000000";

inChromium("landmarks and headings", (scene) => {
  test(
    "are whole in rooms, lists and at an unknown address, on a phone too; menus have names",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(general.id, "Hello");
      const { body: talk } = await bob.post<{ id: string }>("/direct", { user_ids: [alice.id] });
      await bob.say(talk.id, "Psst");
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const row = rowOf(page, said);
      await row.waitFor();
      await page.getByRole("complementary", { name: "Members" }).getByText("bob").first().waitFor();
      await expectBestPractices(page, [390, 768, 1280]);
      for (const opener of ["Server menu", "Channel menu", "You"]) {
        await page.getByRole("button", { name: opener, exact: true }).press("Enter");
        await page.getByRole("menu").waitFor();
        await expectBestPractices(page, [1280]);
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
      }
      const bar = await barOf(row);
      await bar.getByRole("button", { name: "More" }).click();
      await page.getByRole("menu", { name: "Message actions" }).waitFor();
      await expectBestPractices(page, [1280]);
      await page.keyboard.press("Escape");
      watched.allow(/status of 404/);
      for (const path of [
        `/direct/${talk.id}`,
        "/direct",
        `/servers/${server.id}?show=mentions`,
        "/nowhere",
        `/direct/${never}`,
        `/servers/${server.id}/channels/${never}`,
        `/servers/${never}/channels/${never}`,
      ]) {
        await page.goto(path);
        await page.locator("main:not([aria-busy])").waitFor();
        await page.getByRole("button", { name: "You", exact: true }).waitFor();
        await expectBestPractices(page, [390, 1280]);
      }
      await watched.close();
      // On a phone the list is all that there is.
      const small = await scene.watched({ ...withoutWorker, viewport: { width: 390, height: 844 } });
      const list = await small.page(`/servers/${server.id}`, alice);
      await list.getByRole("main").getByRole("navigation", { name: "Channels" }).waitFor();
      await expectBestPractices(list, [390]);
      await list.goto("/direct");
      await list.getByRole("main").getByRole("link", { name: /^bob/ }).waitFor();
      await expectBestPractices(list, [390]);
      await small.close();
      // Carol is in no server, and at the address of one.
      const stranger = await scene.watched(withoutWorker);
      const lost = await stranger.page(`/servers/${never}/channels/${never}`, await scene.person("carol"));
      await lost.getByRole("main").getByRole("link", { name: "Back" }).waitFor();
      await expectBestPractices(lost, [390, 1280]);
      await lost.goto("/?show=mentions");
      await lost.getByRole("main", { name: "Mentions" }).waitFor();
      await expectBestPractices(lost, [390, 1280]);
      await stranger.close();
    },
    journey,
  );

  test(
    "the first stop of the page is a link to the messages, which leads into their list",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(general.id, "See [this](https://example.org/)");
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      await rowOf(page, said).waitFor();
      expect(await page.locator("#page :is(a[href], button)").first().innerText()).toBe("Skip to messages");
      await page.getByRole("link", { name: "Skip to messages" }).focus();
      expect(
        await page.evaluate<boolean>("document.querySelector(document.activeElement.hash) !== null"),
      ).toBe(true);
      await page.keyboard.press("Enter");
      await untilSo(page, "document.activeElement?.matches('[role=list] article') === true");
      expect(await focusedMessage(page)).toBe(said.id);
      // Instead of messages there is a way back.
      watched.allow(/status of 404/);
      for (const path of [`/servers/${server.id}/channels/${never}`, `/direct/${never}`]) {
        await page.goto(path);
        await page.locator("main:not([aria-busy])").waitFor();
        await page.getByRole("link", { name: "Skip to messages" }).press("Enter");
        await untilSo(page, "document.activeElement?.matches('main a') === true");
      }
      await watched.close();
    },
    journey,
  );
});
