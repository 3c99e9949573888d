// Keeps rooms true to rights: after every change in a server its rooms are looked through, and whoever lost something
// loses it there too.
import { holds, permission } from "../../protocol/permissions.ts";
import type { BusItem, SessionsEnded } from "../../server/bus/bus.ts";
import { type House, perHouse } from "../../server/house.ts";
import { publishingBits, welcome } from "./access.ts";
import { errandsOf } from "./errands.ts";
import { mediaOf } from "./media.ts";
import { leave, setMuted } from "./rooms.ts";
import { noteEnd } from "./sessions.ts";
import {
  selectBySessions,
  selectInServers,
  selectParticipant,
  updateParticipant,
  type VoiceParticipantsTable,
} from "./store.ts";

/** One connection of a person in a room. */
type Connection = Pick<VoiceParticipantsTable, "channel_id" | "user_id" | "sid">;

/** Looks at what was committed. */
export function watch(house: House, items: readonly BusItem[]): void {
  if (!mediaOf(house)) return;
  for (const item of items) {
    if (item.kind === "logged" && item.structural) inBackground(house, recheck(house, item.serverId));
    if (item.kind === "sessions-ended") {
      noteEnd(house, item.sessionIds);
      inBackground(house, endSessions(house, item));
    }
  }
}

function inBackground(house: House, work: Promise<void>): void {
  work.catch((error) => errandsOf(house).failed(error));
}

async function endSessions(house: House, { userId, sessionIds }: SessionsEnded): Promise<void> {
  const rows = await house.read((unit) => selectBySessions(unit.db, userId, sessionIds));
  for (const row of rows) putOut(house, row);
}

/** By server: a check that runs, and whether something happened since it began. */
const checks = perHouse(() => new Map<string, { again: boolean }>());

async function recheck(house: House, serverId: string): Promise<void> {
  const running = checks(house).get(serverId);
  if (running) {
    running.again = true;
    return;
  }
  const check = { again: true };
  checks(house).set(serverId, check);
  try {
    while (check.again) {
      check.again = false;
      await checkServer(house, serverId);
    }
  } finally {
    checks(house).delete(serverId);
  }
}

/** Whoever may not be where they are is put out; whoever may publish more or less than they can is told so. */
export async function checkServer(house: House, serverId: string): Promise<void> {
  await house.read(async (unit) => {
    for (const row of await selectInServers(unit.db, [serverId])) {
      const found = await welcome(unit, row.user_id, row.channel_id);
      if (!found) putOut(house, row);
      else if (row.publishes !== publishingBits(found.standing)) permit(house, row);
    }
  });
}

/** Puts somebody out of a room: first there, then they are seen to have left. */
export function putOut(house: House, connection: Connection): void {
  const { channel_id, user_id, sid } = connection;
  errandsOf(house).send(`out ${channel_id} ${user_id} ${sid}`, async () => {
    await mediaOf(house)?.remove(channel_id, user_id);
    await house.write((unit) => leave(unit, channel_id, user_id, (row) => row.sid === sid));
  });
}

function permit(house: House, { channel_id, user_id, sid }: Connection): void {
  errandsOf(house).send(`permit ${channel_id} ${user_id} ${sid}`, async () => {
    // Rights may change while the media service is being told: it is told until they are what it was told.
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
