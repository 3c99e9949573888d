// A tab with a lagging connection: a message that has sounded in another tab does not sound again.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { countsSounds, heardIn, untilItSounds, untilOver } from "./sounding.ts";

/** A page on which nothing is marked read. */
const address = "/settings/profile";

inChromium("a tab that lags behind", (scene) => {
  test(
    "what sounded in another tab does not sound again in it, and what comes next sounds once",
    async () => {
      const { alice, bob, general } = await scene.twoPeople();
      const watched = await scene.watched();
      await watched.context.addInitScript(countsSounds);
      const [prompt, late] = [await watched.page(address, alice), await watched.context.newPage()];
      const tabs = [prompt, late];
      const lag = await lagging(late);
      await late.goto(address);
      for (const tab of tabs) await untilItSounds(tab);

      lag.begin();
      await bob.say(general.id, `@${alice.username} come`);
      await untilTold(prompt, 1);
      await eventually(() => heardIn(tabs)).toBe(1);
      await untilOver(prompt);
      expect(await late.title()).toBe("Profile · Hearth");
      lag.end();
      await untilTold(late, 1);
      await untilOver(late);
      await bob.say(general.id, `@${alice.username} come now`);
      for (const tab of tabs) await untilTold(tab, 2);
      await eventually(() => heardIn(tabs)).toBe(2);
      for (const tab of tabs) await untilOver(tab);
      expect(await heardIn(tabs)).toBe(2);
      await watched.close();
    },
    journey,
  );
});

/** Delays the server's frames to this page from `begin` to `end`. */
async function lagging(page: Page): Promise<{ begin(): void; end(): void }> {
  let waiting: (() => void)[] | undefined;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      if (waiting) waiting.push(() => socket.send(frame));
      else socket.send(frame);
    });
  });
  return {
    begin() {
      waiting = [];
    },
    end() {
      for (const send of waiting ?? []) send();
      waiting = undefined;
    },
  };
}

function untilTold(page: Page, calls: number): Promise<void> {
  return until(async () => (await page.title()) === `(${calls}) Profile · Hearth`, `not told of ${calls}`);
}
