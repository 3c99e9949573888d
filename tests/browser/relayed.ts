// Journeys over a network that can be cut: the house stands behind a relay, by whose address people may come.
import { afterAll } from "bun:test";
import { Relay } from "../client/relay.ts";
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
