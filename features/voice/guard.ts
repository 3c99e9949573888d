// Keeps voice rooms true to rights: after every change in a server, people in its rooms lose the rights they lost.

import { holds, permission } from "../../protocol/permissions.ts";
import type { LoggedEvent, SessionsEnded } from "../../server/bus/bus.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { nextTurn, pieces } from "../../server/house/pieces.ts";
import { standingsIn } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { OnceMore } from "../../server/once-more.ts";
import { idOf } from "../../server/place.ts";
import type { VisibleChannel } from "../channels/access.ts";
import { publishingBits, welcome } from "./access.ts";
import { mediaOf } from "./media.ts";
import { type Connection, keepOut, putOut } from "./putting-out.ts";
import { peopleAtOnce, setMuted } from "./rooms.ts";
import { freshTokens } from "./sessions.ts";
import {
  selectBySessions,
  selectInServers,
  selectParticipant,
  updateParticipant,
  type VoiceParticipantsTable,
} from "./store.ts";
import { tasks } from "./tasks.ts";

/** After a change of rights in a server, looks in the background at the people in its rooms. */
export function recheckAfter(house: House, { stream, version }: LoggedEvent): void {
  if (version === undefined || !mediaOf(house)) return;
  const serverId = idOf(stream);
  // Of a check that many asked for, a failure is logged once.
  void checks(house).run(serverId, () => logged(house, checkServer(house, serverId)));
}

/** Puts out, in the background, who came with a session that has ended. */
export function endSessions(house: House, ended: SessionsEnded): void {
  if (mediaOf(house)) void logged(house, putOutOf(house, ended));
}

function logged(house: House, work: Promise<void>): Promise<void> {
  return work.catch((error) => tasks(house).failed(error));
}

async function putOutOf(house: House, { userId, sessionIds }: SessionsEnded): Promise<void> {
  const rows = await house.read((unit) => selectBySessions(unit.db, userId, sessionIds));
  for (const row of rows) putOut(house, row);
  for (const { channelId, sessionId } of await freshTokens(house)) {
    if (sessionIds.includes(sessionId)) keepOut(house, channelId, userId);
  }
}

/** By server: what happens while one check runs is looked at by one more. */
const checks = perHouse("queue", () => new OnceMore());

/**
 * Puts out everybody who may not be in their room any more, keeps out holders of unused tokens who may not come, and
 * tells the media service when a person may publish more or less than before.
 */
export async function checkServer(house: House, serverId: string): Promise<void> {
  await house.read(async (unit) => {
    const there = await selectInServers(unit.db, [serverId]);
    for await (const { each, found } of looked(unit, serverId, there)) {
      enforce(house, each, found);
    }
    const tokens = await freshTokens(house, serverId);
    const holders = tokens.map(({ channelId, userId }) => ({ channel_id: channelId, user_id: userId }));
    for await (const { each, found } of looked(unit, serverId, holders)) {
      if (!found) keepOut(house, each.channel_id, each.user_id);
    }
  });
}

/** Checks a person who has just arrived: their token may be older than their rights. */
export async function checkArrival(house: House, channelId: string, userId: string): Promise<void> {
  await house.read(async (unit) => {
    const row = await selectParticipant(unit.db, channelId, userId);
    if (row) enforce(house, row, await welcome(unit, userId, channelId));
  });
}

function enforce(house: House, row: VoiceParticipantsTable, found: VisibleChannel | undefined): void {
  if (!found) putOut(house, row);
  else if (row.publishes !== publishingBits(found.standing)) permit(house, row);
}

/** Each row with the person's rights in that room, undefined without any; other work has its turn in between. */
async function* looked<T extends { channel_id: string; user_id: string }>(
  unit: UnitOfWork,
  serverId: string,
  people: readonly T[],
) {
  for (const some of pieces(people, () => 1, peopleAtOnce)) {
    // One query for all of them; the standings are then remembered for the calls below.
    const ids = some.map(({ user_id }) => user_id);
    await standingsIn(unit, serverId, ids);
    for (const each of some) yield { each, found: await welcome(unit, each.user_id, each.channel_id) };
    await nextTurn();
  }
}

function permit(house: House, { channel_id, user_id, sid }: Connection): void {
  tasks(house).add(`permit ${channel_id} ${user_id} ${sid}`, async () => {
    // Rights may change while the media service is being told, so it is told again until they stay the same.
    for (let told: number | undefined; ; ) {
      const bits = await house.read(async (unit) => {
        const found = await welcome(unit, user_id, channel_id);
        return found && publishingBits(found.standing);
      });
      if (bits === undefined || bits === told) return;
      await mediaOf(house)?.permit(channel_id, user_id, bits);
      told = bits;
      await house.write(async (unit) => {
        const row = await selectParticipant(unit.db, channel_id, user_id);
        if (row?.sid !== sid) return;
        await updateParticipant(unit.db, row, { publishes: bits });
        if (!holds({ bits }, permission.SPEAK_VOICE)) await setMuted(unit, row, true);
      });
    }
  });
}
