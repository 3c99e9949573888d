// Detects missing and badly signed webhooks of the media service, for the log and the doctor.
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { shortLived } from "../../server/house/short-lived.ts";
import { mediaOf } from "./media.ts";

/** The defect of a webhook that looks like the media service's. */
export type Fault =
  | "it is signed with another API key"
  | "it is signed with another secret, or was changed on its way"
  | "it is too old, or the clocks are apart";

const warnEveryMs = 3600_000;
/** The webhook about a person who joined less than this ago may still be on its way. In milliseconds. */
const onItsWayMs = 10_000;
export const trialPrefix = "hearth-doctor-";

interface Noticed {
  /** In milliseconds since 1970. */
  at: number;
  /** The defect of a rejected webhook. */
  fault?: Fault;
}

/** By kind: the latest accepted one, the latest rejected one, and rooms of the doctor that were reported. */
const noticed = shortLived<Noticed>({ name: "voice webhooks", keptMs: 30 * 24 * 3600_000, most: 100 });

/** By kind of warning: when this process last logged it. */
const warnedAt = perHouse("queue", () => new Map<string, number>());

export async function noteBelieved(house: House, room: string | undefined): Promise<void> {
  await noticed(house).put("believed", { at: Date.now() });
  if (room?.startsWith(trialPrefix)) await noticed(house).put(`room ${room}`, { at: Date.now() });
}

export async function lastBelieved(house: House): Promise<number | undefined> {
  return (await noticed(house).peek("believed"))?.at;
}

export async function hasHeardOf(house: House, room: string): Promise<boolean> {
  return (await noticed(house).peek(`room ${room}`)) !== undefined;
}

export async function noteRefused(house: House, fault: Fault): Promise<void> {
  warn(
    house,
    "refused",
    { fault },
    "a webhook was refused, so joins and leaves may show up to 30 s late: compare LIVEKIT_API_KEY and LIVEKIT_API_SECRET with the key that webhook.api_key names in LiveKit's configuration, and the clocks of both; hearth doctor voice tries it",
  );
  await noticed(house).put("refused", { at: Date.now(), fault });
}

export function lastRefused(house: House): Promise<Noticed | undefined> {
  return noticed(house).peek("refused");
}

/** Called when the reconciliation found a person whose webhook never came. */
export function noteMissed(house: House, joinedAt: number): void {
  const opened = mediaOf(house)?.openedAt ?? 0;
  // Webhooks sent while Hearth was not running prove nothing.
  if (joinedAt < opened || joinedAt > Date.now() - onItsWayMs) return;
  warn(
    house,
    "missed",
    {},
    "somebody is in a voice room and no webhook told of it, so joins and leaves show up to 30 s late: see that webhook.urls in LiveKit's configuration names the address of Hearth's webhook; hearth doctor voice tries it",
  );
}

function warn(house: House, about: "refused" | "missed", facts: object, sentence: string): void {
  const last = warnedAt(house).get(about);
  if (last !== undefined && Date.now() - last < warnEveryMs) return;
  warnedAt(house).set(about, Date.now());
  house.log.warn(facts, sentence);
}
