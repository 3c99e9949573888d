// Two tabs of one browser: messages that wait in one of them, and somebody who registers in one of them.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BuiltInKey } from "./chromium.ts";
import { boxOf, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { Watched, withoutWorker } from "./watched.ts";

inChromium("a message that waits in a tab", (scene) => {
  /** Two tabs of Alice in the same channel; the first one's message cannot be posted. */
  async function waiting() {
    const { alice, bob, server, general } = await scene.twoPeople();
    const watched = await scene.watched(withoutWorker);
    watched.allow(/ERR_FAILED/);
    const path = `/servers/${server.id}/channels/${general.id}`;
    const [first, second] = [await watched.page(path, alice), await watched.page(path)];
    await boxOf(second).waitFor();
    const block = (page: Page) =>
      page.route(`**/channels/${general.id}/messages`, (route) =>
        route.request().method() === "POST" ? route.abort() : route.fallback(),
      );
    await block(first);
    await write(first, "The soup is ready");
    await first.locator("[data-state=pending]").getByText("The soup is ready").waitFor();
    const said = async () => {
      const { body } = await bob.get<{ content: string }[]>(`/channels/${general.id}/messages`);
      return body.map(({ content }) => content);
    };
    return { watched, first, second, block, said };
  }

  test(
    "goes out from the other one when its own is closed",
    async () => {
      const { watched, first, second, said } = await waiting();
      expect(await said()).toEqual([]);
      await first.close();
      await eventually(said).toEqual(["The soup is ready"]);
      await second.getByRole("article").getByText("The soup is ready").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "is named when the other one signs out",
    async () => {
      const { watched, second, block } = await waiting();
      await block(second);
      await second.getByRole("button", { name: "You" }).click();
      await second.getByRole("menuitem", { name: "Sign out" }).click();
      await second.getByRole("dialog").getByText("One message of yours is not sent yet.").waitFor();
      await watched.close();
    },
    journey,
  );
});

inChromium("somebody who registers in a tab", (scene) => {
  /** Two tabs, the first of them Alice's until somebody registered in the second, which offers a passkey. */
  async function registered(username: string) {
    const { alice, server, general } = await scene.twoPeople();
    // There are no passkeys at a number.
    const local = scene.url.replace("127.0.0.1", "localhost");
    const watched = await Watched.open(scene.browser, local, withoutWorker);
    watched.allow(/status of 401/);
    const hers = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
    await boxOf(hers).waitFor();
    const page = await watched.page("/register");
    await BuiltInKey.plugInto(page);
    const typed = { "E-mail": `${username}@people.example`, Username: username, "Display name": "Bea" };
    for (const [name, value] of Object.entries(typed)) await page.getByRole("textbox", { name }).fill(value);
    await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
    await page.getByRole("button", { name: "Create account" }).click();
    const offer = page.getByRole("heading", { name: "Skip the password next time" });
    await offer.waitFor();
    await hers.getByRole("heading", { name: "Where do you want to talk?" }).waitFor();
    return { watched, hers, page, offer };
  }

  test(
    "is the one who writes in the others from then on; the offer of a passkey stays over a reload",
    async () => {
      const { watched, page, offer } = await registered("bea");
      await page.reload();
      await offer.waitFor();
      await page.getByRole("button", { name: "Not now" }).click();
      await page.getByRole("heading", { name: "Where do you want to talk?" }).waitFor();
      // The offer is over for good.
      await page.goto("/register");
      await page.getByRole("textbox", { name: "Username" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "is offered no passkey any more after signing out in another one",
    async () => {
      const { watched, hers, page } = await registered("beatrice");
      await hers.getByRole("button", { name: "You", exact: true }).click();
      await hers.getByRole("menuitem", { name: "Sign out" }).click();
      await hers.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await page.reload();
      await page.getByRole("textbox", { name: "Username" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
