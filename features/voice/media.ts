// The media service of a house, if it has one.
import { Refusal } from "../../protocol/errors.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { LiveKit } from "./livekit.ts";

const box = perHouse<{ media: LiveKit | undefined }>("cache", () => ({ media: undefined }));

/**
 * The library is loaded only where a media service is set up: every start would take a tenth longer. `patienceMs`
 * shortens how long its answers are waited for.
 */
export async function openMedia(house: House, patienceMs?: number): Promise<void> {
  const { livekit } = house.config;
  if (livekit) box(house).media = new (await import("./livekit.ts")).LiveKit(house, livekit, patienceMs);
}

/** Undefined where no media service is set up. */
export function mediaOf(house: House): LiveKit | undefined {
  return box(house).media;
}

/** Throws not_configured (503) where no media service is set up. */
export function neededMedia(house: House): LiveKit {
  const media = mediaOf(house);
  if (media) return media;
  throw new Refusal("not_configured", "Voice is not set up here. Its operator can name a media service.");
}
