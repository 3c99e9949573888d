// Compares the stored rooms with the media service's, in case a webhook was missed.
import { Refusal } from "../../protocol/errors.ts";
import { id } from "../../protocol/shapes.ts";
import type { House } from "../../server/house/house.ts";
import { nextTurn, pieces } from "../../server/house/pieces.ts";
import type { Home } from "../../server/place.ts";
import { homeOf } from "../channels/access.ts";
import { checkRooms } from "./guard.ts";
import { deleteWebhooksBefore } from "./heard.ts";
import type { LiveKit } from "./livekit.ts";
import { mediaOf } from "./media.ts";
import { noteMissed } from "./noticing.ts";
import type { Present } from "./present.ts";
import { putOut } from "./putting-out.ts";
import { arrive, leave, peopleAtOnce } from "./rooms.ts";
import { selectOccupied, selectRoom, type VoiceParticipantsTable } from "./store.ts";

/** Rooms queried per run, occupied ones first. */
const mostRooms = 2000;
const atOnce = 8;
/** Longer than the maximum age of a webhook event on arrival, in milliseconds. */
const webhooksKeptMs = 15 * 60_000;

/** The recurring job. While the media service is down, nothing changes. */
export async function reconcile(house: House): Promise<boolean> {
  const media = mediaOf(house);
  if (!media) return false;
  if (house.clock.mayDelete())
    await house.write((unit) => deleteWebhooksBefore(unit.db, Date.now() - webhooksKeptMs));
  try {
    const listed = await media.rooms();
    const occupied = await house.read((unit) => selectOccupied(unit.db));
    const named = listed.flatMap((name) => id.safeParse(name).data ?? []);
    const rooms = [...new Set([...occupied.map((each) => each.channel_id), ...named])].slice(0, mostRooms);
    while (rooms.length > 0) {
      await Promise.all(rooms.splice(0, atOnce).map((room) => reconcileRoom(house, media, room)));
    }
    // Repeats calls that failed when they were due, and checks the permissions of people just found.
    const found = await house.read((unit) => selectOccupied(unit.db));
    for (const home of new Set([...occupied, ...found].map(homeOfRoom))) await checkRooms(house, home);
  } catch (error) {
    // The client of the media service has logged this already.
    if (!(error instanceof Refusal && error.code === "unavailable")) throw error;
  }
  return false;
}

/** Throws unavailable (503) if the media service does not respond. */
export async function reconcileRoom(house: House, media: LiveKit, room: string): Promise<void> {
  const before = await house.read((unit) => selectRoom(unit.db, room));
  const present = await media.participants(room);
  if (before.length === 0 && present.length === 0) return;
  const unwelcome = await house.write(async (unit) => {
    if (before[0]) await unit.lock(homeOfRoom(before[0]));
    // A change stored while the response was on its way is newer than the response.
    if (!isSame(before, await selectRoom(unit.db, room))) return [];
    const mustGo: Present[] = [];
    for (const some of pieces(present, () => 1, peopleAtOnce)) {
      for (const each of some) if (await arrive(unit, room, each)) mustGo.push(each);
      await nextTurn();
    }
    for (const row of before) {
      if (present.some((each) => isThere(each, row))) continue;
      await leave(unit, room, row.user_id, (now) => now.sid === row.sid);
    }
    const unheard = (await selectRoom(unit.db, room)).filter(
      ({ user_id }) => !before.some((each) => each.user_id === user_id),
    );
    for (const { joined_at } of unheard) noteMissed(house, joined_at);
    return mustGo;
  });
  for (const { userId, sid } of unwelcome) putOut(house, { channel_id: room, user_id: userId, sid });
}

function homeOfRoom({
  channel_id,
  server_id,
}: Pick<VoiceParticipantsTable, "channel_id" | "server_id">): Home {
  return homeOf({ id: channel_id, server_id });
}

/** A person counts as newly arrived once they are connected, and as present until they are gone. */
function isThere(present: Present, row: VoiceParticipantsTable): boolean {
  return present.userId === row.user_id && (present.isConnected || present.sid === row.sid);
}

function isSame(before: readonly VoiceParticipantsTable[], now: readonly VoiceParticipantsTable[]): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}
