// The page offline: it opens with the last state, accepts messages, and shows nothing to other people.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { kept, untilKept } from "./kept.ts";
import { inChromium, journey } from "./scene.ts";

inChromium("the page without a network", (scene) => {
  /** Alice has seen the general channel of her server with Bob, and the page has saved it. */
  async function seen() {
    const { alice, bob, server: home } = await scene.twoPeople("Ubuntu");
    const asked = { server_id: home.id, name: "garden", position: 2 };
    const garden = (await alice.post<Channel>("/channels", asked)).body;
    await bob.say(home.general.id, "said while she was here");
    await bob.say(garden.id, "nobody has read this");
    await alice.post(`/servers/${home.id}/read`);
    const watched = await scene.watched();
    watched.allow(/ERR_INTERNET_DISCONNECTED|WebSocket connection/);
    const address = `/servers/${home.id}/channels/${home.general.id}`;
    const page = await watched.page(address, alice);
    await said(page, "said while she was here").waitFor();
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await untilKept(page, home.general.id);
    return { alice, bob, home, garden, watched, page, address };
  }

  test(
    "Alice opens it in the tunnel, reads on, writes, and looks elsewhere; outside it is sent, once",
    async () => {
      const { bob, home, watched, page } = await seen();
      await watched.context.setOffline(true);
      await page.reload();
      await said(page, "said while she was here").waitFor();
      await page.getByRole("link", { name: "general" }).waitFor();
      await write(page, "written in the tunnel");
      const waits = page.locator("[data-state=pending]").getByText("written in the tunnel");
      await waits.waitFor();
      await page.getByRole("status", { name: "Connection" }).getByText("1 message is waiting").waitFor();
      await expectNoBarriers(page);

      // The message also waits across another start.
      await page.reload();
      await waits.waitFor();
      await page.getByRole("link", { name: "garden" }).click();
      await page.getByRole("main").getByRole("button", { name: "Try again" }).waitFor();
      await page.getByRole("link", { name: "general" }).click();
      await said(page, "said while she was here").waitFor();

      await watched.context.setOffline(false);
      await page.getByRole("status", { name: "Connection" }).waitFor({ state: "detached" });
      await until(async () => (await page.locator("[data-state=pending]").count()) === 0, "it still waits");
      await said(page, "written in the tunnel").waitFor();
      const { body } = await bob.get<{ content: string }[]>(`/channels/${home.general.id}/messages`);
      expect(body.filter(({ content }) => content === "written in the tunnel")).toHaveLength(1);
      await page.getByRole("link", { name: "garden" }).click();
      await said(page, "nobody has read this").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a start from what was kept ends where a start from nothing would: at the first message that is new",
    async () => {
      const { bob, home, watched, page, address } = await seen();
      await page.close();
      const texts = Array.from({ length: 30 }, (_, i) => `said meanwhile, ${i}`);
      for (const text of texts) await bob.say(home.general.id, text);
      const next = await watched.context.newPage();
      await next.goto(address);
      await next.getByRole("separator", { name: "New messages" }).waitFor();
      await said(next, "said meanwhile, 0").waitFor();
      await said(next, "said while she was here").waitFor();
      const line = next.getByRole("separator", { name: "New messages" });
      const isInUpperHalf = async () => {
        const top = (await line.boundingBox())?.y ?? 0;
        return top > 100 && top < 400;
      };
      await until(isInUpperHalf, "the line is not where one reads on");
      await watched.close();
    },
    journey,
  );

  test(
    "whoever signs out leaves nothing behind; where the session was ended elsewhere, nothing is shown",
    async () => {
      const { alice, watched, page, address } = await seen();
      watched.allow(/status of 401/);
      const elsewhere = await seen();
      elsewhere.watched.allow(/status of 401/);
      await elsewhere.page.close();
      expect((await elsewhere.alice.post("/auth/logout")).status).toBe(204);
      const again = await elsewhere.watched.context.newPage();
      await again.goto(elsewhere.address);
      await again.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await eventually(() => said(again, "said while she was here").count()).toBe(0);
      await eventually(() => kept(again)).toEqual([]);
      await elsewhere.watched.close();

      await page.getByRole("button", { name: "You" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await eventually(() => kept(page)).toEqual([]);
      await watched.context.setOffline(true);
      await page.goto(address);
      await page.getByRole("heading", { name: "The server cannot be reached" }).waitFor();
      await eventually(() => page.getByText(alice.username).count()).toBe(0);
      await watched.close();
    },
    journey,
  );
});

function said(page: Page, text: string) {
  return page.getByRole("article").filter({ hasText: text });
}
