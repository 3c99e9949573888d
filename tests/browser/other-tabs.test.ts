// Messages that wait in one tab, while another one of the same browser is open.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { boxOf, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

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
