// How people who are connected, to whatever process, are seen: remembered, as everybody's profile shows it.

import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { ChosenPresence, UsersTable } from "./store.ts";

type ShownPresence = "online" | "idle" | "dnd" | "offline";

/** By user id of people who are connected: what they chose, or `dnd` by their hours. Presence looks when it may change. */
const seenAs = perHouse("cache", () => new Map<string, ChosenPresence>());

/** Asks who of these people is on do-not-disturb at this hour, whatever they chose. */
export const doNotDisturb = question<[userIds: readonly string[]], ReadonlySet<string>>(
  "accounts.doNotDisturb",
);

/** Returns by user id how these people are to be seen while they are connected: as they chose, or `dnd` by their hours. */
export async function wantedPresences(
  unit: UnitOfWork,
  rows: readonly Pick<UsersTable, "id" | "presence">[],
): Promise<Map<string, ChosenPresence>> {
  const undisturbed = await unit.ask(
    doNotDisturb,
    rows.map(({ id }) => id),
  );
  const isByHours = (id: string) => undisturbed.some((ids) => ids.has(id));
  return new Map(
    rows.map(({ id, presence }) => [id, presence !== "invisible" && isByHours(id) ? "dnd" : presence]),
  );
}

/** Returns what others see. */
export function shownPresence(house: House, userId: string): ShownPresence {
  return shownAs(seenAs(house).get(userId));
}

/** Returns what others see of somebody who is to be seen like this; `undefined`: who is not connected. */
export function shownAs(wanted: ChosenPresence | undefined): ShownPresence {
  return wanted === undefined || wanted === "invisible" ? "offline" : wanted;
}

/** Whether the person is connected, as far as it was looked. */
export function isConnected(house: House, userId: string): boolean {
  return seenAs(house).has(userId);
}

/** `undefined`: the person is not connected. */
export function setSeen(house: House, userId: string, as: ChosenPresence | undefined): void {
  if (as === undefined) seenAs(house).delete(userId);
  else seenAs(house).set(userId, as);
}
