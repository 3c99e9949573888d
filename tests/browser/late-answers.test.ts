// Answers that come late, when the person has gone on: they change nothing of what is done meanwhile, and nothing is lost.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { barOf, inChromium, journey, rowOf, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("answers that come late", (scene) => {
  const field = (page: Page) => page.getByRole("textbox", { name: "Edit message" });

  async function edit(page: Page, message: Message): Promise<void> {
    await (await barOf(rowOf(page, message))).getByRole("button", { name: "Edit", exact: true }).click();
    await field(page).waitFor();
  }

  /** A page on a channel with two of Alice's messages, and the requests that correct the first one, held. */
  async function opened(...allowed: RegExp[]) {
    const { alice, server, general } = await scene.twoPeople();
    const first = await alice.say(general.id, "Soup");
    const second = await alice.say(general.id, "Bread");
    const { watched, page } = await scene.open(alice, server, withoutWorker, ...allowed);
    const asked = Promise.withResolvers<Route>();
    await page.route(`**/messages/${first.id}`, (route) => asked.resolve(route), { times: 1 });
    const textOf = async (message: Message) =>
      (await alice.get<Message>(`/messages/${message.id}`)).body.content;
    return { watched, page, first, second, asked: asked.promise, textOf };
  }

  test(
    "a correction that is saved while another one is written leaves that one open, with its text and the keys",
    async () => {
      const { watched, page, first, second, asked, textOf } = await opened();
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await edit(page, second);
      await field(page).fill("Bread and ");
      await route.continue();
      await rowOf(page, first).getByText("Soup with peas").waitFor();
      await page.keyboard.type("butter");
      expect(await field(page).inputValue()).toBe("Bread and butter");
      await page.keyboard.press("Enter");
      await field(page).waitFor({ state: "detached" });
      await eventually(() => textOf(second)).toBe("Bread and butter");
      expect(await textOf(first)).toBe("Soup with peas");
      await watched.close();
    },
    journey,
  );

  test(
    "a message that is corrected again before the answer to the first time keeps what is typed",
    async () => {
      const { watched, page, first, asked, textOf } = await opened();
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await page.keyboard.press("Escape");
      await field(page).waitFor({ state: "detached" });
      await edit(page, first);
      await field(page).fill("Soup with beans");
      const answer = page.waitForResponse((each) => each.url().endsWith(first.id));
      await route.continue();
      await (await answer).finished();
      await eventually(() => textOf(first)).toBe("Soup with peas");
      await page.keyboard.type("!");
      expect(await field(page).inputValue()).toBe("Soup with beans!");
      await page.keyboard.press("Enter");
      await eventually(() => textOf(first)).toBe("Soup with beans!");
      await watched.close();
    },
    journey,
  );

  test(
    "the answer to a correction takes no keys from the composer",
    async () => {
      const { watched, page, first, asked } = await opened();
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await boxOf(page).click();
      await page.keyboard.type("Who ");
      await route.continue();
      await field(page).waitFor({ state: "detached" });
      await page.keyboard.type("else?");
      await untilSo(
        page,
        "document.querySelector('main > * textarea:not([data-editing])')?.value === 'Who else?'",
      );
      await watched.close();
    },
    journey,
  );

  test(
    "a correction that fails when its field is gone is told, and is there with the next try",
    async () => {
      const { watched, page, first, second, asked } = await opened(/status of 403/);
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await edit(page, second);
      await route.fulfill({ status: 403, json: { error: "You may not write here.", code: "forbidden" } });
      await page
        .getByText("A correction was not saved, and is kept with its message. You may not write here.")
        .waitFor();
      await page.keyboard.press("Escape");
      await edit(page, first);
      expect(await field(page).inputValue()).toBe("Soup with peas");
      await watched.close();
    },
    journey,
  );

  test(
    "a message that was deleted right before signing out is deleted, though it could still be undone",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await alice.say(general.id, "My password is swordfish");
      const { watched, page } = await scene.open(alice, server, withoutWorker, /status of 401/);
      await rowOf(page, said).focus();
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: "Undo" }).waitFor();
      // The time in which it could be undone does not end by itself.
      await page.getByRole("button", { name: "Undo" }).dispatchEvent("pointerover");
      await page.getByRole("button", { name: "You", exact: true }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      expect((await bob.get(`/messages/${said.id}`)).status).toBe(404);
      await watched.close();
    },
    journey,
  );
});
