// Writing by keyboard: lines, lists and undo, pasting, drafts, replying and editing, and the typing line.
import { expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import {
  boxOf,
  composer,
  holds,
  inBothKitchens,
  kept,
  paste,
  saidIn,
  standing,
  writes,
} from "./composing.ts";
import { eventually } from "./eventually.ts";
import { comes, journey, untilPart } from "./scene.ts";
import { untilStill } from "./watching-rows.ts";

inBothKitchens("writing", (kitchen) => {
  test(
    "keys: Enter sends, lists go on, undo goes back, links and code are pasted as what they are, a draft survives",
    async () => {
      const { scene, alice, path } = kitchen();
      const hers = await scene.watched();
      const page = await hers.page(path, alice);
      const box = boxOf(page);
      await box.waitFor();
      // Opening a channel puts the focus here.
      await writes(page);
      await eventually(() => page.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe(
        "true",
      );

      await page.keyboard.type("To buy:");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("- salt");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("oil");
      await eventually(async () => (await standing(page)).text).toBe("To buy:\n- salt\n- oil");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.press("Shift+Enter");
      await eventually(async () => (await standing(page)).text).toBe("To buy:\n- salt\n- oil\n");
      await page.keyboard.press("Control+z");
      await eventually(async () => (await standing(page)).text).toBe("To buy:\n- salt\n- oil\n- ");
      await page.keyboard.press("Control+z");
      await eventually(async () => (await standing(page)).text).toBe("To buy:\n- salt\n- oil");

      // An input method is composing: Enter belongs to it.
      await box.dispatchEvent("keydown", { key: "Enter", isComposing: true });
      await eventually(async () => (await standing(page)).text).toContain("salt");

      // Until this part is loaded, the browser handles a paste by itself.
      await untilPart(page, "paste");
      await box.fill("see this");
      await page.evaluate("document.querySelector('textarea').setSelectionRange(4, 8)");
      expect(await paste(page, { "text/plain": "https://hearth.example/salt" })).toBe(true);
      await eventually(async () => (await standing(page)).text).toBe(
        "see [this](https://hearth.example/salt)",
      );
      await page.keyboard.press("Control+z");
      await eventually(async () => (await standing(page)).text).toBe("see this");
      await box.fill("");
      const code = { "text/plain": "a();\nb();", "vscode-editor-data": '{"mode":"javascript"}' };
      expect(await paste(page, code)).toBe(true);
      await eventually(async () => (await standing(page)).text).toBe("```javascript\na();\nb();\n```");
      expect(await paste(page, { "text/plain": "only words" })).toBe(false);

      await box.fill("Half a thought");
      await kept(page, 'text === "Half a thought"');
      await page.reload();
      await holds(page, "Half a thought");
      await page.getByRole("link", { name: /^recipes/ }).click();
      await page.getByRole("textbox", { name: "Message #recipes" }).waitFor();
      await page.getByRole("link", { name: /^general/ }).click();
      await box.waitFor();
      await eventually(() => standing(page)).toEqual({ text: "Half a thought", hasFocus: true });
      await page.keyboard.press("End");
      await page.keyboard.type(", and the rest");
      await page.keyboard.press("Enter");
      await page.getByRole("article").filter({ hasText: "Half a thought, and the rest" }).waitFor();
      await eventually(() => standing(page)).toMatchObject({ text: "", hasFocus: true });
      // The row may be a message that is still being sent.
      await eventually(async () => (await saidIn(kitchen()))[0]?.content).toBe(
        "Half a thought, and the rest",
      );
      await page.reload();
      await page.getByRole("article").filter({ hasText: "Half a thought, and the rest" }).waitFor();
      await eventually(async () => (await standing(page)).text).toBe("");

      // Enter breaks the line if the writer chose so.
      await page.evaluate("localStorage.setItem('hearth.composer.send', '\"ctrl+enter\"')");
      await box.fill("1. one");
      await page.keyboard.press("Enter");
      await eventually(async () => (await standing(page)).text).toBe("1. one\n2. ");
      await page.keyboard.type("two");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("article").filter({ hasText: "two" }).waitFor();
      await page.evaluate("localStorage.removeItem('hearth.composer.send')");

      await box.fill("x".repeat(3799));
      await eventually(() => page.getByText("of 4,000").count()).toBe(0);
      await page.keyboard.press("End");
      await page.keyboard.type("y");
      await page.getByText("3,800 of 4,000").waitFor();
      await box.fill("x".repeat(4001));
      await page.getByText("4,001 of 4,000").waitFor();
      await box.press("Enter");
      await page.getByRole("button", { name: "Send" }).dispatchEvent("click");
      await eventually(async () => (await standing(page)).text).toHaveLength(4001);
      await box.fill("");
      await hers.close();
    },
    journey,
  );

  test(
    "what is typed in the moment in which the page is loaded anew is there afterwards",
    async () => {
      const { scene, alice, path } = kitchen();
      const hers = await scene.watched();
      const page = await hers.page(path, alice);
      await boxOf(page).fill("begun");
      await kept(page, 'text === "begun"');
      for (const text of ["one", "one more", "and another", "and the last"]) {
        await boxOf(page).fill(text);
        await page.reload();
        await holds(page, text);
      }
      await hers.close();
    },
    journey,
  );

  test(
    "answering, which survives a reload and Escape leaves, and correcting what was said last by the Up key",
    async () => {
      const { scene, alice, bob, server, path } = kitchen();
      const asked = await bob.say(server.general.id, "Is there soup?");
      const hers = await scene.watched();
      const page = await hers.page(path, alice);
      const box = boxOf(page);
      await box.waitFor();
      const row = page.locator(`[data-message-id="${asked.id}"]`);
      const reply = async () => {
        await row.hover();
        await row.getByRole("button", { name: "Reply" }).click();
        await page.getByText("Replying to bob Is there soup?").waitFor();
        await writes(page);
      };
      await reply();
      await expectNoBarriers(page, [360, 1280], composer);
      await box.press("Escape");
      await page.getByText("Replying to").waitFor({ state: "hidden" });
      await eventually(async () => (await standing(page)).hasFocus).toBe(true);
      await reply();
      await box.fill("Leek and potato");
      await kept(page, 'replyTo !== null && text === "Leek and potato"');
      await page.reload();
      await page.getByText("Replying to bob Is there soup?").waitFor();
      await holds(page, "Leek and potato");
      await box.press("Enter");
      await page.getByRole("article").filter({ hasText: "Leek and potato" }).waitFor();
      await until(
        async () => (await saidIn(kitchen()))[0]?.reply_to === asked.id,
        "it was never posted as an answer",
      );
      await page.getByText("Replying to").waitFor({ state: "hidden" });

      await until(async () => (await page.locator("[data-state=pending]").count()) === 0, "it stays pending");
      await box.press("ArrowUp");
      const field = page.locator("textarea[data-editing]");
      await field.waitFor();
      await eventually(() => field.inputValue()).toBe("Leek and potato");
      await field.fill("Leek and potato, hot");
      await field.press("Enter");
      await field.waitFor({ state: "hidden" });
      await page.getByRole("article").filter({ hasText: "Leek and potato, hot" }).waitFor();
      // Text typed while an edit is being saved stays, and is saved by the next Enter.
      await eventually(() => standing(page)).toMatchObject({ hasFocus: true });
      await box.press("ArrowUp");
      await field.waitFor();
      const [asking, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route("**/messages/*", (route) => {
        if (route.request().method() !== "PATCH") return route.continue();
        asking.resolve();
        return held.promise.then(() => route.continue());
      });
      await field.fill("Leek and potato, warm");
      await field.press("Enter");
      await asking.promise;
      await field.fill("Leek and potato, warm, with bread");
      held.resolve();
      await until(
        async () => (await saidIn(kitchen()))[0]?.content === "Leek and potato, warm",
        "it was never corrected",
      );
      await page.locator("button:not([aria-busy])", { hasText: /^Save$/ }).waitFor();
      expect(await field.inputValue()).toBe("Leek and potato, warm, with bread");
      await field.press("Enter");
      await field.waitFor({ state: "hidden" });
      await page.getByRole("article").filter({ hasText: "warm, with bread" }).waitFor();
      // A letter typed anywhere in the room begins the next message.
      await row.focus();
      await page.keyboard.type("Mmm");
      await holds(page, "Mmm");
      await hers.close();
    },
    journey,
  );

  test(
    "typing is told at most every three seconds and fades; nothing moves by it; without the right one reads why",
    async () => {
      const { scene, alice, bob, server, path } = kitchen();
      const [hers, his] = [await scene.watched(), await scene.watched()];
      const page = await hers.page(path, alice);
      let signs = 0;
      const typing = await his.page("/settings/profile", bob);
      typing.on("websocket", (socket) =>
        socket.on("framesent", ({ payload }) => {
          if (String(payload).includes("TYPING_START")) signs++;
        }),
      );
      await typing.goto(path);
      await boxOf(typing).waitFor();
      await boxOf(page).waitFor();
      await untilStill(page);
      await page.clock.install();
      await typing.clock.install();
      const before = await boxOf(page).boundingBox();
      const line = page.getByText("bob is typing");
      // The line fades six seconds after the last key; a busy machine may have drawn nothing by then.
      const isSeen = (text: string) => async () => {
        await boxOf(typing).pressSequentially(text);
        return comes(line, 5000);
      };
      const begun = performance.now();
      await until(isSeen("letter by letter"), "he is not seen typing");
      const most = 1 + Math.ceil((performance.now() - begun) / 3000);
      expect(await boxOf(page).boundingBox()).toEqual(before);
      expect(signs).toBeGreaterThan(0);
      expect(signs).toBeLessThanOrEqual(most);
      await page.clock.fastForward(7000);
      await line.waitFor({ state: "hidden" });
      await typing.clock.fastForward(7000);
      await until(isSeen("!"), "he is not seen typing again");
      await boxOf(typing).press("Enter");
      await line.waitFor({ state: "hidden" });

      await boxOf(typing).fill("kept all the same");
      const rights = permission.VIEW_CHANNEL;
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, { permissions: rights });
      await typing.getByText("You can read #general but not write here.").waitFor();
      await eventually(() => boxOf(typing).count()).toBe(0);
      await expectNoBarriers(typing, [360, 1280], composer);
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, {
        permissions: server.everyone.permissions,
      });
      await boxOf(typing).waitFor();
      await eventually(async () => (await standing(typing)).text).toBe("kept all the same");
      await hers.close();
      await his.close();
    },
    journey,
  );
});
