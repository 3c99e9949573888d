// The operator's check in the running server: whether the media service's webhooks arrive.
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../../protocol/errors.ts";
import type { Command } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { type Fault, hasHeardOf, lastBelieved, lastRefused } from "./noticing.ts";

/** How long to wait for the webhook of a room, in milliseconds. Tests wait less. */
export const trialPatience = perHouse("cache", () => ({ ms: 8000 }));
const lookEveryMs = 100;
/** After a rejected webhook a valid one may still be on its way. In milliseconds. */
const afterRefusalMs = 1000;

/** The result for the webhooks of a room that the doctor created. */
export type Trial = "came" | "nothing" | Fault;

export const webhooksCommand: Command = {
  name: "voice-webhooks",
  takes: ["[room]"],
  meaning: "whether the webhooks of LiveKit come; of a room: waits for the next one of it",
  async run(house, [room]) {
    if (!house.config.livekit) throw new Refusal("not_configured", "Voice is not set up (LIVEKIT_URL).");
    return room === undefined ? soFar(house) : [await trialOf(house, room)];
  },
};

async function trialOf(house: House, room: string): Promise<Trial> {
  const before = await lastRefused(house);
  for (const end = Date.now() + trialPatience(house).ms; Date.now() < end; await pause(lookEveryMs)) {
    if (await hasHeardOf(house, room)) return "came";
    const refused = await lastRefused(house);
    if (!refused?.fault || refused.at === before?.at) continue;
    if (Date.now() - refused.at > afterRefusalMs) return refused.fault;
  }
  return "nothing";
}

async function soFar(house: House): Promise<string[]> {
  const believedAt = await lastBelieved(house);
  const refused = await lastRefused(house);
  const seconds = (time: number) => `${Math.round((Date.now() - time) / 1000)} s ago`;
  return [
    believedAt === undefined
      ? "No webhook of LiveKit came since Hearth was started."
      : `The last webhook of LiveKit came ${seconds(believedAt)}.`,
    ...(refused ? [`One was refused ${seconds(refused.at)}: ${refused.fault}.`] : []),
  ];
}
