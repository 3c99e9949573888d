// Moves of channels that wait for one before them when the page goes.
import { expect, test } from "bun:test";
import type { Channel } from "../../features/channels/contract.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** The first request that changes a channel gets no answer. */
const withoutAnswer = `{
  const { fetch } = globalThis;
  let isFirst = true;
  globalThis.fetch = (address, how) => {
    if (how?.method !== "PATCH" || !isFirst) return fetch(address, how);
    isFirst = false;
    globalThis.hasAsked = true;
    return new Promise(() => {});
  };
}`;

inChromium("moves of channels", (scene) => {
  test(
    "those that wait are made, though the page is loaded anew",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const names = async () => {
        const { body } = await alice.get<Channel[]>(`/channels?server_id=${server.id}`);
        return body.toSorted((one, other) => one.position - other.position).map(({ name }) => name);
      };
      for (const [i, name] of ["barley", "oats", "wheat"].entries())
        await alice.post("/channels", { server_id: server.id, name, position: 10 * (i + 1) });
      expect((await names()).slice(-3)).toEqual(["barley", "oats", "wheat"]);
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      await page.evaluate(withoutAnswer);
      const up = (name: string) =>
        page.getByRole("link", { name, exact: true }).press("Control+Shift+ArrowUp");
      await up("oats");
      await page.waitForFunction("globalThis.hasAsked");
      await up("wheat");
      await eventually(() =>
        page.getByRole("link", { name: /^(barley|oats|wheat)$/ }).allTextContents(),
      ).toEqual(["oats", "wheat", "barley"]);
      await page.reload();
      await eventually(async () => (await names()).slice(-3)).toEqual(["wheat", "barley", "oats"]);
      await watched.close();
    },
    journey,
  );
});
