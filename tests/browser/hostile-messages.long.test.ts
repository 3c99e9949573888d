// Hostile messages: they are shown, copied and coloured like others, and the page goes on.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, rowOf } from "./scene.ts";
import { drawnIds, untilStill } from "./watching-rows.ts";

/** For scripts in a page: the most long texts that were drawn between two frames. */
const countsTexts = `
  globalThis.mostTexts = 0;
  let texts = 0;
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const text of node.querySelectorAll("p")) if (text.textContent.length > 1000) texts++;
    mostTexts = Math.max(mostTexts, texts);
  }).observe(document, { childList: true, subtree: true });
  (function frame() {
    texts = 0;
    requestAnimationFrame(frame);
  })();
`;

inChromium("messages against their reader", (scene) => {
  test(
    "endless words, lists and code are shown as they were typed, between messages as people write them",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const word = `${"W".repeat(3000)}${"🙂".repeat(400)}`;
      const endless = await alice.say(general.id, word);
      const list = await alice.say(general.id, "-\n".repeat(2000).slice(0, 4000));
      const line = `const a = ${"a b ".repeat(900)}`;
      await alice.say(general.id, `\`\`\`ts\n${line}\n\`\`\``);
      const code = await alice.say(general.id, "```ts\nconst salt = 1;\n```");
      const watched = await scene.watched();
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await rowOf(page, code).locator("code span", { hasText: "const" }).waitFor();
      expect(await page.locator("pre", { hasText: line }).locator("span").count()).toBe(0);
      await boxOf(page).pressSequentially("hello");
      await eventually(() => boxOf(page).inputValue()).toBe("hello");

      await eventually(() => textOf(page, list)).toBe("-\n".repeat(2000).trimEnd());

      await page.goto(`/servers/${server.id}/channels/${general.id}/messages/${endless.id}`);
      const paragraph = rowOf(page, endless).locator("p");
      await eventually(() => paragraph.innerText()).toBe(word);
      // Redrawn rows lose the selection.
      await eventually(async () => {
        await paragraph.selectText();
        return page.evaluate<string>("getSelection().toString()");
      }).toBe(word);
      await eventually(() => paragraph.ariaSnapshot()).toContain(word);
      await watched.close();
    },
    journey,
  );

  test(
    "what would be thousands of elements is drawn as the one text that was typed",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const typed = ["- - - a\n", "```\na\n```\n", "> a\n\n", "www.a.example ", "`a` ", "1. a\n"].map(
        (piece) => piece.repeat(4000 / piece.length).trimEnd(),
      );
      const endless = [
        ...[`a${"\u0300".repeat(3000)}`, `👩${"\u200d👩".repeat(1000)}`, "🇩🇪".repeat(900)],
        // They begin like texts of emoji alone.
        ...[`${"🇩🇪".repeat(900)} a`, `♀${"\u200d♀".repeat(1000)} a`],
      ];
      const rows: { text: string; message: Message }[] = [];
      for (const text of [...typed, ...endless])
        rows.push({ text, message: await alice.say(general.id, text) });
      const watched = await scene.watched();
      for (const { text, message } of rows) {
        const address = `/servers/${server.id}/channels/${general.id}/messages/${message.id}`;
        const page = await watched.page(address, alice);
        await eventually(() => textOf(page, message)).toBe(text);
        // Stacked combining marks stay within their own message.
        const row = `document.querySelector('[data-message-id="${message.id}"] p')`;
        const overflow = `getComputedStyle(${row}.parentElement).overflowY`;
        await eventually(() => page.evaluate<string>(overflow)).toBe("clip");
        const elements = rowOf(page, message).locator("p *");
        expect(await elements.count()).toBeLessThan(150);
        await page.close();
      }
      await watched.close();
    },
    journey,
  );

  test(
    "a channel full of the longest texts is drawn at most one text a frame, and none but those in sight",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const said: Message[] = [];
      for (let i = 0; i < 20; i++) said.push(await alice.say(general.id, `${i}: ${"W ".repeat(1990)}end`));
      const watched = await scene.watched();
      await watched.context.addInitScript(countsTexts);
      const first = said[0] as Message;
      const path = `/servers/${server.id}/channels/${general.id}`;
      for (const address of [path, `${path}/messages/${first.id}`]) {
        const page = await watched.page(address, alice);
        await page.locator("article p", { hasText: "end" }).first().waitFor();
        await untilStill(page);
        expect(await page.evaluate<number>("mostTexts")).toBe(1);
        const drawn = await drawnIds(page);
        for (const id of drawn) expect(await page.locator(`[data-message-id="${id}"] p`).count()).toBe(1);
        expect(drawn.length).toBeLessThan(5);
        await page.close();
      }
      await watched.close();
    },
    journey,
  );

  function textOf(page: Page, message: Message): Promise<string> {
    return rowOf(page, message).locator("p").innerText();
  }
});
