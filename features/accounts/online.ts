// Presence of people who are connected to any process, cached because every profile shows it.

import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { ChosenPresence, UsersTable } from "./store.ts";

type ShownPresence = "online" | "idle" | "dnd" | "offline";

/** By user id of connected people: their presence as of `wantedPresences`. Updated by the presence feature. */
const seenAs = perHouse("cache", () => new Map<string, ChosenPresence>());

/** Asks which of these people are on do-not-disturb by their hours, whatever presence they chose. */
export const doNotDisturb = question<[userIds: readonly string[]], ReadonlySet<string>>(
  "accounts.doNotDisturb",
);

/**
 * Returns the presence of these people while they are connected, by user id: their choice, `dnd` by their hours, or
 * `idle` for those who chose `online` and touch none of their devices.
 */
export async function wantedPresences(
  unit: UnitOfWork,
  rows: readonly Pick<UsersTable, "id" | "presence">[],
): Promise<Map<string, ChosenPresence>> {
  const undisturbed = await unit.ask(
    doNotDisturb,
    rows.map(({ id }) => id),
  );
  const isByHours = (id: string) => undisturbed.some((ids) => ids.has(id));
  const { connections } = unit.house;
  const wanted = (id: string, chosen: ChosenPresence) => {
    if (chosen !== "invisible" && isByHours(id)) return "dnd";
    return chosen === "online" && connections.isIdle(id) ? "idle" : chosen;
  };
  return new Map(rows.map(({ id, presence }) => [id, wanted(id, presence)]));
}

/** Returns the presence that others see. */
export function shownPresence(house: House, userId: string): ShownPresence {
  return shownAs(seenAs(house).get(userId));
}

/** Returns the presence that others see of a person with this one; `undefined`: not connected. */
function shownAs(wanted: ChosenPresence | undefined): ShownPresence {
  return wanted === undefined || wanted === "invisible" ? "offline" : wanted;
}

/** Returns the presence that others see of the person once the presence feature has looked. */
export async function presenceSoon(
  unit: UnitOfWork,
  row: Pick<UsersTable, "id" | "presence">,
): Promise<ShownPresence> {
  const wanted = (await wantedPresences(unit, [row])).get(row.id);
  return shownAs(unit.house.connections.has(row.id) ? wanted : undefined);
}

/** True if the person is connected, as of the last look by the presence feature. */
export function isConnected(house: House, userId: string): boolean {
  return seenAs(house).has(userId);
}

/** `undefined`: the person is not connected. */
export function setSeen(house: House, userId: string, as: ChosenPresence | undefined): void {
  if (as === undefined) seenAs(house).delete(userId);
  else seenAs(house).set(userId, as);
}
