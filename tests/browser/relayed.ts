// Journeys over a network that can be cut: a relay before the house, at whose address people can open the page.
import { afterAll } from "bun:test";
import type { Locator } from "playwright-core";
import { Relay } from "../client/relay.ts";
import { until } from "../house/machine/waiting.ts";
import { inChromium, type Scene } from "./scene.ts";

export function throughRelay(title: string, journeys: (scene: Scene, relay: () => Relay) => void): void {
  let relay: Relay;
  inChromium(
    title,
    (scene) => {
      afterAll(() => relay?.close());
      journeys(scene, () => relay);
    },
    async (scene) => {
      relay = await Relay.to(() => scene.url);
      return { TRUSTED_ORIGINS: relay.origin };
    },
  );
}

/** Presses "Try now" on the strip, which goes once the page has reconnected, perhaps by itself. */
export async function untilConnected(strip: Locator): Promise<void> {
  const button = strip.getByRole("button", { name: "Try now", exact: true });
  await until(async () => {
    if ((await strip.count()) === 0) return true;
    await button.click({ timeout: 1000 }).catch(() => {});
    return false;
  }, "it does not connect again");
}
