// Actions on messages: two people in two browsers, by pointer, by key and by finger.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { copiedText } from "./clipboard.ts";
import { eventually } from "./eventually.ts";
import { atBothAddresses, barOf, chooseAction, focusedMessage, journey, rowOf, untilSo } from "./scene.ts";
import { longPress } from "./touch.ts";

/** Keeps undo lines, as a resting pointer does: a busy machine may not reach them within five seconds. */
function holdLines(page: Page): Promise<void> {
  return page.evaluate(`{
    const hold = () =>
      document.querySelector("[data-region=toast] [role] > *")?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    new MutationObserver(hold).observe(document, { childList: true, subtree: true });
  }`);
}

atBothAddresses("what one does with messages", (scene) => {
  test(
    "By pointer: react, answer, correct, copy a link, mark as unread, delete and think better of it; Bob sees it all",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const his = await bob.say(general.id, "Who cooks? ||Not I||");
      const hers = await alice.say(general.id, "Me.");
      const { watched, page } = await scene.open(alice, server, {
        permissions: ["clipboard-write"],
      });
      const other = await scene.open(bob, server);
      const verb = async (row: Locator, name: string) =>
        (await barOf(row)).getByRole("button", { name, exact: true }).click();

      await verb(rowOf(page, his), "React with 👍");
      await rowOf(page, his).getByRole("button", { name: "👍 1", pressed: true }).waitFor();
      await rowOf(other.page, his).getByRole("button", { name: "👍 1", pressed: false }).click();
      await rowOf(page, his).getByRole("button", { name: "👍 2" }).hover();
      await rowOf(page, his).getByRole("tooltip").filter({ hasText: "bob and you" }).waitFor();
      await rowOf(page, his).getByRole("button", { name: "👍 2" }).click();
      await rowOf(other.page, his).getByRole("button", { name: "👍 1" }).waitFor();

      await verb(rowOf(page, his), "Reply");
      await untilSo(page, "document.activeElement?.tagName === 'TEXTAREA'");
      await page.keyboard.type("I do.");
      await page.keyboard.press("Enter");
      await other.page.getByRole("link", { name: "Reply to bob: Who cooks? █████" }).waitFor();

      await verb(rowOf(page, hers), "Edit");
      const field = page.getByRole("textbox", { name: "Edit message" });
      await field.fill("Me, with pleasure: https://cook.example/soup");
      await field.press("Enter");
      await rowOf(other.page, hers).getByText("Me, with pleasure:").waitFor();
      // The linked site learns nothing of this page.
      const link = rowOf(other.page, hers).getByRole("link", { name: "https://cook.example/soup" });
      await eventually(() => link.getAttribute("rel")).toBe("noopener noreferrer");
      await eventually(() => link.getAttribute("target")).toBe("_blank");
      await rowOf(other.page, hers).getByText("edited").waitFor();

      await chooseAction(rowOf(page, hers), "Copy link");
      await eventually(() => copiedText(page)).toBe(
        `${scene.pageUrl}/servers/${server.id}/channels/${general.id}/messages/${hers.id}`,
      );

      const marked = page.waitForResponse(
        (answer) =>
          answer.url().endsWith(`/channels/${general.id}/read`) &&
          answer.request().postData()?.includes(hers.id.slice(0, 8)) === true,
      );
      await chooseAction(rowOf(page, hers), "Mark unread from here");
      expect((await marked).status()).toBe(204);

      await holdLines(page);
      await chooseAction(rowOf(page, hers), "Delete");
      await rowOf(page, hers).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await rowOf(page, hers).waitFor();
      expect((await alice.get(`/messages/${hers.id}`)).status).toBe(200);
      await rowOf(page, hers).press("Shift+Delete");
      await rowOf(other.page, hers).waitFor({ state: "detached" });
      // He may neither delete nor edit her message.
      await rowOf(other.page, his).hover();
      const [last] = await alice
        .get<Message[]>(`/channels/${general.id}/messages?limit=1`)
        .then(({ body }) => body);
      const bar = await barOf(rowOf(other.page, { id: last?.id ?? "" }));
      await eventually(() => bar.getByRole("button", { name: "Edit" }).count()).toBe(0);
      await bar.getByRole("button", { name: "More" }).click();
      await other.page.getByRole("menuitem", { name: "Reply" }).waitFor();
      expect(await other.page.getByRole("menuitem", { name: /^(Edit|Delete)$/ }).count()).toBe(0);
      await other.page.keyboard.press("Escape");
      // Leaving the page does not undo the deletion.
      await chooseAction(rowOf(page, last ?? hers), "Delete");
      await page.goto("about:blank");
      await until(
        async () => (await alice.get(`/messages/${last?.id}`)).status === 404,
        "it was never deleted",
      );
      await watched.close();
      await other.watched.close();
    },
    journey,
  );

  test(
    "By key alone: the menu, single letters, a correction that the server does not get, moderators' deleting; the focus is never lost",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const first = await alice.say(general.id, "First.");
      const second = await bob.say(general.id, "Second.");
      const third = await alice.say(general.id, "Third.");
      const { watched, page } = await scene.open(alice, server);
      // The browser may look for a new worker while it is offline.
      watched.allow(/ERR_INTERNET_DISCONNECTED|net::ERR|error occurred when fetching the script/);
      // A row that is not measured yet is invisible, and cannot get the focus.
      await rowOf(page, third).waitFor();
      await rowOf(page, third).focus();

      await page.keyboard.press("Shift+F10");
      await page.getByRole("menu", { name: "Message actions" }).waitFor();
      for (const name of [
        "React",
        "Reply",
        "Edit",
        "Copy text",
        "Copy link",
        "Mark unread from here",
        "Delete",
      ])
        await eventually(() => page.getByRole("menuitem", { name }).count()).toBe(1);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await eventually(() => focusedMessage(page)).toBe(third.id);

      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
      const field = page.getByRole("textbox", { name: "Edit message" });
      await field.waitFor();
      await untilSo(page, "document.activeElement?.tagName === 'TEXTAREA'");
      await field.fill("Third, and last.");
      // The key that ends an input method, as Safari reports it, does not save.
      await field.dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
      expect(await page.getByRole("button", { name: "Save" }).getAttribute("aria-busy")).toBeNull();
      await watched.context.setOffline(true);
      await field.press("Enter");
      await page.getByText("What you wrote is kept.").waitFor();
      await eventually(() => field.inputValue()).toBe("Third, and last.");
      await watched.context.setOffline(false);
      await field.press("Enter");
      await field.waitFor({ state: "detached" });
      await rowOf(page, third).getByText("Third, and last.").waitFor();
      await eventually(() => focusedMessage(page)).toBe(third.id);
      await page.keyboard.press("e");
      await field.press("Escape");
      await eventually(() => focusedMessage(page)).toBe(third.id);

      await page.keyboard.press("+");
      await page
        .getByRole("combobox")
        .or(page.getByRole("searchbox"))
        .or(page.getByRole("textbox", { name: /emoji/i }))
        .first()
        .waitFor();
      await page.locator("[role=dialog] input:focus").waitFor();
      await page.keyboard.type("tada");
      await page.getByRole("gridcell", { name: "party popper", selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await rowOf(page, third).getByRole("button", { name: "🎉 1" }).waitFor();

      await holdLines(page);
      await rowOf(page, second).focus();
      await page.keyboard.press("Delete");
      await rowOf(page, second).waitFor({ state: "detached" });
      await eventually(() => focusedMessage(page)).toBe(third.id);
      await page.keyboard.press("Control+z");
      await rowOf(page, second).waitFor();
      await rowOf(page, second).focus();
      await page.keyboard.press("Shift+Delete");
      await rowOf(page, second).waitFor({ state: "detached" });
      await until(
        async () => (await alice.get(`/messages/${second.id}`)).status === 404,
        "it was never deleted",
      );
      await rowOf(page, first).focus();
      await page.keyboard.press("r");
      await eventually(() => page.evaluate<string>("document.activeElement?.tagName ?? ''")).toBe("TEXTAREA");
      await watched.close();
    },
    journey,
  );

  test(
    "By finger: a long press opens the sheet, and a message of somebody blocked is one line",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const message = await bob.say(general.id, "Soup? ||Beetroot||");
      const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
      const { watched, page } = await scene.open(alice, server, phone);
      await longPress(page, rowOf(page, message));
      const sheet = page.getByRole("dialog", { name: "Message actions" });
      await sheet.getByRole("button", { name: "Copy text" }).waitFor();
      // The sheet hides the same words as the message.
      await sheet.getByText("Soup? █████").waitFor();
      await expectNoBarriers(page, [360]);
      await sheet.getByRole("button", { name: "React with 🙏" }).tap();
      await rowOf(page, message).getByRole("button", { name: "🙏 1" }).waitFor();

      await alice.put(`/blocks/${bob.id}`);
      await page.getByText("A message of somebody whom you block.").waitFor();
      await eventually(() => page.getByText("Soup?").count()).toBe(0);
      // One more is counted in the same line.
      await bob.say(general.id, "Bread?");
      await page.getByText("2 messages of people whom you block.").waitFor();
      await page.getByRole("button", { name: "Show", exact: true }).tap();
      await page.getByText("Soup?").waitFor();
      await page.getByText("Bread?").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "What there is no right for is not offered: who may only read sees neither answering nor reacting",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const message = await alice.say(general.id, "Read me.");
      const own = await bob.say(general.id, "I read.");
      await alice.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, {
        permissions: permission.VIEW_CHANNEL,
      });
      const { watched, page } = await scene.open(bob, server);
      const row = rowOf(page, message);
      await barOf(row);
      await eventually(() =>
        row.getByRole("button", { name: /^(React|Reply|Edit|Delete|Add a reaction)/ }).count(),
      ).toBe(0);
      await row.getByRole("button", { name: "👍 1" }).click({ force: true });
      expect((await alice.get<Message>(`/messages/${message.id}`)).body.reactions).toMatchObject([
        { count: 1 },
      ]);
      // An own message can still be deleted, and no more be changed.
      await (await barOf(rowOf(page, own))).getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Delete" }).waitFor();
      expect(await page.getByRole("menuitem", { name: "Edit" }).count()).toBe(0);
      await watched.close();
    },
    journey,
  );
});
