// A page whose nodes something else moves goes on: the browser translates it, and extensions mark words.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, rowOf, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** Puts elements with other words in the place of all texts, as Chrome's translation does. */
const translate = `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  for (const text of texts) {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = "other words";
    outer.append(inner);
    text.replaceWith(outer);
  }
}`;

/** The same by two steps: the element is inserted first, and the text is removed. */
const translateInSteps = translate.replace(
  "text.replaceWith(outer)",
  "text.before(outer); text.parentNode.removeChild(text)",
);

/** Cuts each text in three and wraps the middle, as extensions do that mark words. */
const mark = `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim().length > 3) texts.push(walker.currentNode);
  for (const text of texts) {
    const middle = text.splitText(1);
    middle.splitText(1);
    const wrapper = document.createElement("mark");
    middle.replaceWith(wrapper);
    wrapper.append(middle);
  }
}`;

/** Wraps each text whole. */
const wrap = mark.replace("text.splitText(1)", "text").replace("middle.splitText(1);", "");

inChromium("a page whose nodes are moved", (scene) => {
  for (const [how, move] of [
    ["a translation", translate],
    ["a translation in two steps", translateInSteps],
    ["an extension that marks parts of words", mark],
    ["an extension that wraps all words", wrap],
  ] as const)
    test(
      `shows what is said, corrected, deleted and counted after ${how}`,
      async () => {
        const { alice, bob, server, general } = await scene.twoPeople();
        const named = { server_id: server.id, name: "recipes" };
        const recipes = (await alice.post<{ id: string }>("/channels", named)).body;
        const plain = await bob.say(general.id, "Plain text.");
        const bold = await bob.say(general.id, "With **bold** words.");
        const list = await bob.say(general.id, "A list:\n- one\n- two");
        const gone = await bob.say(general.id, "It goes.");
        await bob.post(`/messages/${plain.id}/reactions`, { emoji: "👍" });
        const { watched, page } = await scene.open(alice, server, withoutWorker);
        for (const row of [plain, bold, list, gone]) await rowOf(page, row).waitFor();
        await page.evaluate(move);

        const said = await bob.say(general.id, "Said **after** it.");
        await hasWords(page, said, "Said after it.");
        for (const [message, content, words] of [
          [plain, "Other words.", "Other words."],
          [bold, "Now **strong** ones, and *more*.", "Now strong ones, and more."],
          [bold, "Nothing bold.", "Nothing bold."],
          [list, "No list:\n- three", "No list: three"],
        ] as const) {
          await bob.patch(`/messages/${message.id}`, { content });
          await hasWords(page, message, words);
        }
        await alice.post(`/messages/${plain.id}/reactions`, { emoji: "👍" });
        await eventually(() => rowOf(page, plain).locator("button[aria-pressed]").innerText()).toMatch(/2$/);
        await bob.delete(`/messages/${gone.id}`);
        await rowOf(page, gone).waitFor({ state: "detached" });

        await boxOf(page).fill("Hers.");
        await boxOf(page).press("Enter");
        await page.locator("article").filter({ hasText: "Hers." }).waitFor();
        await page.locator(`nav a[href$="${recipes.id}"]`).click();
        await page.getByRole("textbox", { name: "Message #recipes" }).waitFor();
        await page.goBack();
        await hasWords(page, said, "Said after it.");
        expect(await page.getByText("broke").count()).toBe(0);
        await watched.close();
      },
      journey,
    );

  test(
    "is signed in at after a translation, also behind a wrong password",
    async () => {
      const alice = await scene.person("alice");
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 401/);
      const page = await watched.page("/login");
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await page.evaluate(translate);
      const [name, password] = [page.locator("input").nth(0), page.locator("input[type=password]")];
      await name.fill(alice.username);
      for (const tried of ["not the password", alice.password]) {
        await password.fill(tried);
        await password.press("Enter");
        if (tried !== alice.password) await page.getByText("do not match").waitFor();
      }
      await page.getByRole("navigation", { name: "Servers" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "shows what is corrected after a translation, though the part for that did not load the first time",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(general.id, "Plain text.");
      const watched = await scene.watched(withoutWorker);
      watched.allow(/ERR_FAILED/);
      await watched.context.route(/\/moved-nodes-/, (route) => route.abort(), { times: 1 });
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await rowOf(page, said).getByText("Plain text.").waitFor();
      await untilSo(page, "!/native code/.test(Node.prototype.removeChild)");
      await page.evaluate(translate);
      await bob.patch(`/messages/${said.id}`, { content: "Corrected." });
      await rowOf(page, said).getByText("Corrected.").waitFor();
      await watched.close();
    },
    journey,
  );
});

/** Waits until the text of a message is these words alone, but for the mark of a correction. */
async function hasWords(page: Page, message: { id: string }, words: string): Promise<void> {
  const text = () => rowOf(page, message).locator("[class*=prose]").first().innerText();
  await eventually(async () => (await text()).replace(/\s+/g, " ").replace(/ edited$/, "")).toBe(words);
}
