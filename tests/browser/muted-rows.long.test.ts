// A muted channel in the list: its look changes when it is muted, when it is unmuted, and when the mute expires.
import { test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";

/** Shorter than the heartbeat's interval: only the clock may update the page. */
const mutedMs = 30_000;

inChromium("muted channels in the list", (scene) => {
  async function home() {
    const { alice, bob, server, general } = await scene.twoPeople();
    const { body: recipes } = await alice.post<{ id: string }>("/channels", {
      server_id: server.id,
      name: "recipes",
    });
    return { alice, bob, server, general, recipes };
  }

  test(
    "from its own menu a channel is muted and unmuted: its row is dim and bright again at once, while nothing else happens",
    async () => {
      const { alice, server } = await home();
      const { watched, page } = await scene.open(alice, server);
      await boxOf(page).waitFor();
      const bright = await colourOf(page, "recipes");
      const dialog = await notificationsOf(page, "recipes");
      await dialog.getByRole("button", { name: "Until I unmute it" }).click();
      await dialog.getByRole("button", { name: "Unmute" }).waitFor();
      await untilSo(page, `${rowOf("recipes")}.textContent.includes("muted")`);
      await until(async () => (await colourOf(page, "recipes")) !== bright, "the row is not dim");

      await dialog.getByRole("button", { name: "Unmute" }).click();
      await dialog.getByRole("button", { name: "Until I unmute it" }).waitFor();
      await untilSo(page, `!${rowOf("recipes")}.textContent.includes("muted")`);
      await eventually(() => colourOf(page, "recipes")).toBe(bright);
      await watched.close();
    },
    journey,
  );

  test(
    "a channel that was muted for a time, with something new in it, is dim, and stands out by itself once that is over",
    async () => {
      const { alice, bob, server, recipes } = await home();
      const watched = await scene.watched();
      await watched.context.clock.install();
      await bob.say(recipes.id, "new");
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await page.getByRole("link", { name: "recipes unread", exact: true }).waitFor();
      // Muted only after the page is open, which takes time on a busy machine.
      await alice.put(`/channels/${recipes.id}/notification-settings`, {
        muted_until: new Date(Date.now() + mutedMs).toISOString(),
      });
      await page.getByRole("link", { name: "recipes muted", exact: true }).waitFor();
      await page.clock.fastForward(mutedMs + 1000);
      await page.getByRole("link", { name: "recipes unread", exact: true }).waitFor();
      await untilSo(
        page,
        `document.querySelector("link[rel=icon]").getAttribute("href") === "/mark-unread.svg"`,
      );
      await watched.close();
    },
    journey,
  );
});

async function notificationsOf(page: Page, name: string) {
  await page.getByRole("link", { name, exact: true }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Notifications" }).click();
  return page.getByRole("dialog", { name: `Notifications of #${name}` });
}

/** A script for the row of a channel: behind a dialog it is not in the accessibility tree. */
function rowOf(name: string): string {
  return `[...document.querySelectorAll("nav li > a")].find(({ textContent }) => textContent.startsWith(${JSON.stringify(name)}))`;
}

function colourOf(page: Page, name: string): Promise<string> {
  return page.evaluate(`getComputedStyle(${rowOf(name)}).color`);
}
