// The media service of a server, if it has one.
import { Refusal } from "../../protocol/errors.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { LiveKit } from "./livekit.ts";

const box = perHouse<{ media: LiveKit | undefined }>("cache", () => ({ media: undefined }));

/**
 * The library is loaded only if a media service is set up: it would make every start a tenth slower. `patienceMs`
 * overrides the timeout of calls.
 */
export async function openMedia(house: House, patienceMs?: number): Promise<void> {
  const { livekit } = house.config;
  if (livekit) box(house).media = new (await import("./livekit.ts")).LiveKit(house, livekit, patienceMs);
}

/** Undefined if no media service is set up. */
export function mediaOf(house: House): LiveKit | undefined {
  return box(house).media;
}

/** Throws not_configured (503) if no media service is set up. */
export function neededMedia(house: House): LiveKit {
  const media = mediaOf(house);
  if (media) return media;
  throw new Refusal("not_configured", "Voice is not set up here. Its operator can name a media service.");
}
