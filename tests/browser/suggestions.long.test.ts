// Suggestions while writing: people, roles, channels, emoji and commands, chosen by keyboard.
import { test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import { TestBot } from "../house/people/bots.ts";
import { expectNoBarriers } from "./axe.ts";
import { boxOf, composer, holds, inTheKitchen, standing } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./scene.ts";

inTheKitchen("suggestions", (kitchen) => {
  test(
    "suggestions: people, roles, channels, emoji and commands, by keyboard, without losing what is typed",
    async () => {
      const { scene, alice, bob, server, path } = kitchen();
      const bot = await TestBot.make(alice, "Timer");
      await bot.enter(server.id);
      await bot.post(`/bots/${bot.id}/commands`, {
        server_id: server.id,
        name: "remind",
        description: "Says it again later",
      });
      const hers = await scene.watched();
      const page = await hers.page(path, alice);
      const box = boxOf(page);
      const list = page.getByRole("listbox");
      const options = page.getByRole("option");
      await box.waitFor();
      await box.pressSequentially("ask @bo");
      await options.filter({ hasText: bob.username }).waitFor();
      // Results from the server may arrive meanwhile, and come first.
      await until(async () => {
        const first = await options.first().getAttribute("id");
        return first !== null && (await box.getAttribute("aria-activedescendant")) === first;
      }, "the first one is not chosen");
      await eventually(() => box.getAttribute("aria-controls")).toBe(await list.getAttribute("id"));
      await expectNoBarriers(page, [360, 1280], composer);
      await box.press("Enter");
      await eventually(() => standing(page)).toMatchObject({ text: `ask @${bob.username} `, hasFocus: true });
      await box.press("Control+z");
      await eventually(async () => (await standing(page)).text).toBe("ask @bo");

      // Escape closes only the list; the next word opens it again.
      await box.fill("");
      await box.pressSequentially("@b");
      await list.waitFor();
      await box.press("Escape");
      await list.waitFor({ state: "hidden" });
      await eventually(async () => (await standing(page)).text).toBe("@b");
      await box.pressSequentially(" and #rec");
      await options.filter({ hasText: "recipes" }).waitFor();
      await eventually(async () => (await page.locator(composer).ariaSnapshot()).split("\n")).toEqual([
        '- button "Attach files"',
        `- 'textbox "Message #general"': "@b and #rec"`,
        '- listbox "Channels":',
        '  - option "recipes" [selected]',
        '- button "GIF"',
        '- button "Emoji"',
        '- button "Send"',
        "- status",
      ]);
      await box.press("Tab");
      await eventually(async () => (await standing(page)).text).toBe("@b and #recipes ");

      // Enter sends a completely typed name as it stands.
      await box.fill(`thanks @${bob.username}`);
      await list.waitFor();
      await box.press("Enter");
      await page.getByRole("article").filter({ hasText: "thanks" }).waitFor();

      await box.pressSequentially(":crossed_f");
      await options.first().waitFor();
      await eventually(() => options.first().textContent()).toContain(":crossed_fingers:");
      await box.press("ArrowDown");
      await box.press("ArrowUp");
      await box.press("Enter");
      await eventually(async () => (await standing(page)).text).toBe("🤞 ");
      await box.pressSequentially(":rocket:");
      await holds(page, "🤞 🚀");
      await box.press("Control+z");
      await eventually(async () => (await standing(page)).text).toBe("🤞 :rocket:");

      await box.fill("");
      await box.pressSequentially("/re");
      await options.filter({ hasText: "Timer" }).waitFor();
      await box.press("Enter");
      await eventually(async () => (await standing(page)).text).toBe("/remind ");
      await box.fill("");

      // Bob may not mention everyone, so it is not suggested to him.
      await box.pressSequentially("@every");
      await options.filter({ hasText: "@everyone" }).waitFor();
      await box.fill("");
      await hers.close();
      const his = await scene.watched();
      const bobs = await his.page(path, bob);
      await boxOf(bobs).pressSequentially("@ali");
      await bobs.getByRole("option").filter({ hasText: alice.username }).waitFor();
      await boxOf(bobs).fill("");
      const asked = bobs.waitForResponse(/\/members\?.*\bq=every(&|$)/);
      await boxOf(bobs).pressSequentially("@every");
      await (await asked).finished();
      await eventually(() => bobs.getByRole("option").count()).toBe(0);
      await his.close();
    },
    journey,
  );
});
