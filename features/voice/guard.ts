// Enforces permissions in voice rooms: after every change in a server or conversation, the people in its rooms lose
// what they lost.

import { holds, permission } from "../../protocol/permissions.ts";
import type { LoggedEvent, SessionsEnded } from "../../server/bus/bus.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { nextTurn, pieces } from "../../server/house/pieces.ts";
import { standingsIn } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { OnceMore } from "../../server/once-more.ts";
import { type Home, idOf, isOfPerson, isOfServer } from "../../server/place.ts";
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
  selectRoom,
  updateParticipant,
  type VoiceParticipantsTable,
} from "./store.ts";
import { tasks } from "./tasks.ts";

/** Checks the people in the rooms of a home, in the background, after their rights may have changed. */
export function recheckAfter(house: House, { stream, home = stream, version }: LoggedEvent): void {
  if (version === undefined || isOfPerson(home) || !mediaOf(house)) return;
  // A failure of a check that was requested several times is logged once.
  void checks(house).run(home, () => logged(house, checkRooms(house, home)));
}

/** Puts out, in the background, the people whose sessions ended. */
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

/** By home: any number of changes during a check cause just one more. */
const checks = perHouse("queue", () => new OnceMore());

/**
 * Removes everybody who may no longer be in their room, keeps out holders of unused tokens who may not enter, and
 * updates the media service when a person may publish more or less than before.
 */
export async function checkRooms(house: House, home: Home): Promise<void> {
  await house.read(async (unit) => {
    for await (const { each, found } of looked(unit, home, await selectInHome(unit, home))) {
      enforce(house, each, found);
    }
    const tokens = await freshTokens(house, home);
    const holders = tokens.map(({ channelId, userId }) => ({ channel_id: channelId, user_id: userId }));
    for await (const { each, found } of looked(unit, home, holders)) {
      if (!found) keepOut(house, each.channel_id, each.user_id);
    }
  });
}

/** Returns the people in the rooms of a server, or in that of a conversation. */
function selectInHome({ db }: UnitOfWork, home: Home): Promise<VoiceParticipantsTable[]> {
  return isOfServer(home) ? selectInServers(db, [idOf(home)]) : selectRoom(db, idOf(home));
}

/** Checks a person who has just arrived: their token may be older than their permissions. */
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

/** Yields each row with the person's access to that room, undefined without any; yields to other work in between. */
async function* looked<T extends { channel_id: string; user_id: string }>(
  unit: UnitOfWork,
  home: Home,
  people: readonly T[],
) {
  for (const some of pieces(people, () => 1, peopleAtOnce)) {
    // One query for all of them; the calls below then find the standings in the cache.
    const ids = some.map(({ user_id }) => user_id);
    if (isOfServer(home)) await standingsIn(unit, idOf(home), ids);
    for (const each of some) yield { each, found: await welcome(unit, each.user_id, each.channel_id) };
    await nextTurn();
  }
}

function permit(house: House, { channel_id, user_id, sid }: Connection): void {
  tasks(house).add(`permit ${channel_id} ${user_id} ${sid}`, async () => {
    // Permissions may change during the call to the media service, so it is repeated until they stay the same.
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
