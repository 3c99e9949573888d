// The field in which a message is corrected: its height, and what Enter does in it.
import { expect, test } from "bun:test";
import { eventually } from "./eventually.ts";
import { keeps } from "./kept.ts";
import { barOf, inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** A browser that cannot size a field by its text. */
const unsized = `
  const supports = CSS.supports.bind(CSS);
  CSS.supports = (name, ...value) => name !== "field-sizing" && supports(name, ...value);
  addEventListener("DOMContentLoaded", () => {
    const style = new CSSStyleSheet();
    style.replaceSync("textarea { field-sizing: fixed !important; }");
    document.adoptedStyleSheets.push(style);
  });
`;

inChromium("a message that is corrected", (scene) => {
  async function editing(content: string, script: string) {
    const { alice, server, general } = await scene.twoPeople();
    const said = await alice.say(general.id, content);
    const watched = await scene.watched(withoutWorker);
    await watched.context.addInitScript(script);
    const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
    await (await barOf(rowOf(page, said))).getByRole("button", { name: "Edit", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Edit message" });
    await field.and(page.locator(":focus")).waitFor();
    return { watched, page, field, said };
  }

  test(
    "has a field as high as its text, also where the browser cannot size it, and as that grows",
    async () => {
      const { watched, page } = await editing("one\ntwo\nthree\nfour\nfive", unsized);
      const overhang = () =>
        page.evaluate<number>(
          "((box) => box.scrollHeight - box.clientHeight)(document.querySelector('[data-editing]'))",
        );
      expect(await overhang()).toBe(0);
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("six");
      await eventually(overhang).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "is saved by Ctrl and Enter where these send; Enter alone breaks the line, and the hint says so",
    async () => {
      const script = keeps("composer.send", "ctrl+enter");
      const { watched, page, field, said } = await editing("one", script);
      await page.getByText("Ctrl and Enter save, Escape cancels").waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type("two");
      expect(await field.inputValue()).toBe("one\ntwo");
      await page.keyboard.press("Control+Enter");
      await field.waitFor({ state: "detached" });
      await rowOf(page, said).getByText("two").waitFor();
      await watched.close();
    },
    journey,
  );
});
