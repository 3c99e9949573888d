// Records and emits what happens in a room: a person joins, leaves, is muted or deafened.

import type { z } from "zod";
import type { EventDeclaration } from "../../protocol/event.ts";
import { holds, permission } from "../../protocol/permissions.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectUser } from "../accounts/access.ts";
import { placeOfChannel } from "../channels/access.ts";
import { roomEntered, welcome } from "./access.ts";
import { voiceDeafened, voiceJoined, voiceLeft, voiceMuted } from "./contract.ts";
import type { Present } from "./present.ts";
import { askedBy, hasEnded } from "./sessions.ts";
import {
  deleteParticipant,
  insertParticipant,
  selectParticipant,
  updateParticipant,
  type VoiceParticipantsTable,
} from "./store.ts";

/** People processed before other work has its turn: a room may hold a thousand. */
export const peopleAtOnce = 25;

/** True if a person outside this room may enter with the token that they last asked for. */
export async function mayBeIn(unit: UnitOfWork, channelId: string, userId: string): Promise<boolean> {
  if (!(await welcome(unit, userId, channelId))) return false;
  return !(await hasEnded(unit, userId, await askedBy(unit.house, channelId, userId)));
}

/**
 * Records that the media service sees a person in a room. Returns whether they are one of ours who may not be there.
 */
export async function arrive(unit: UnitOfWork, channelId: string, present: Present): Promise<boolean> {
  const { userId, sid, joinedAt } = present;
  const found = await welcome(unit, userId, channelId);
  if (!found) return (await selectUser(unit.db, userId)) !== undefined;
  const before = await selectParticipant(unit.db, channelId, userId);
  const isSame = before?.sid === sid;
  // A report about an earlier connection may arrive after one about a later connection.
  if (before && !isSame && joinedAt < before.joined_at) return false;
  const session_id = await askedBy(unit.house, channelId, userId);
  if (!isSame && (await hasEnded(unit, userId, session_id))) return true;
  if (!present.isConnected) return false;
  const connection = { sid, joined_at: joinedAt, session_id };
  const row = before ?? {
    ...connection,
    channel_id: channelId,
    user_id: userId,
    server_id: found.channel.server_id,
    muted: 0,
    deafened: 0,
    publishes: present.publishes,
  };
  if (!before) {
    await insertParticipant(unit.db, row);
    unit.tell(voiceJoined, found.place, { channel_id: channelId, user_id: userId });
    await unit.ask(roomEntered, channelId, userId);
  } else if (!isSame) {
    await updateParticipant(unit.db, row, connection);
    await setDeafened(unit, row, false);
  }
  if (row.publishes !== present.publishes) {
    await updateParticipant(unit.db, row, { publishes: present.publishes });
  }
  const maySpeak = holds(found.standing, permission.SPEAK_VOICE);
  const heard = present.microphone === null ? isSame && row.muted === 1 : present.microphone === "muted";
  await setMuted(unit, row, !maySpeak || heard);
  return false;
}

export async function leave(
  unit: UnitOfWork,
  channelId: string,
  userId: string,
  isMeant: (row: VoiceParticipantsTable) => boolean,
): Promise<void> {
  const row = await selectParticipant(unit.db, channelId, userId);
  if (!row || !isMeant(row) || !(await deleteParticipant(unit.db, row))) return;
  await tellRoom(unit, voiceLeft, row, { channel_id: channelId, user_id: userId });
}

export async function setMuted(unit: UnitOfWork, row: VoiceParticipantsTable, muted: boolean): Promise<void> {
  if ((row.muted === 1) === muted) return;
  await updateParticipant(unit.db, row, { muted: muted ? 1 : 0 });
  const { channel_id, user_id } = row;
  await tellRoom(unit, voiceMuted, row, { channel_id, user_id, muted });
}

export async function setDeafened(
  unit: UnitOfWork,
  row: VoiceParticipantsTable,
  deafened: boolean,
): Promise<void> {
  if ((row.deafened === 1) === deafened) return;
  await updateParticipant(unit.db, row, { deafened: deafened ? 1 : 0 });
  const { channel_id, user_id } = row;
  await tellRoom(unit, voiceDeafened, row, { channel_id, user_id, deafened });
}

/** Tells those who see the room, which may be deleted by now; once its row is gone, nobody knows of it any more. */
async function tellRoom<Data extends z.ZodType>(
  unit: UnitOfWork,
  declaration: EventDeclaration<Data>,
  { channel_id }: VoiceParticipantsTable,
  data: z.infer<Data>,
): Promise<void> {
  const place = await placeOfChannel(unit, channel_id);
  if (place) unit.tell(declaration, place, data);
}
