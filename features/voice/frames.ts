// Frames with which a person in a voice room mutes or deafens themselves, carried out in order.
import { Refusal } from "../../protocol/errors.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import type { Unit } from "../../server/house/unit.ts";
import { need } from "../servers/access.ts";
import { findVoiceChannel } from "./access.ts";
import { selectParticipant, type VoiceParticipantsTable } from "./store.ts";

type Change = (unit: Unit, row: VoiceParticipantsTable, standing: Standing) => Promise<void>;

/** By person: the last of their frames that is under way. */
const lastFrames = perHouse(() => new Map<string, Promise<void>>());

/** Runs `change` for a person who is in this room, and may be. */
export function inRoom(unit: Unit, userId: string, channelId: string, change: Change): Promise<void> {
  return inTurn(unit.house, userId, () =>
    unit.write(async (write) => {
      const { channel, standing } = await findVoiceChannel(write, userId, channelId);
      need(standing, "CONNECT_VOICE");
      const row = await selectParticipant(write.db, channel.id, userId);
      if (!row) throw new Refusal("conflict", "You are not in this voice channel.");
      await change(write, row, standing);
    }),
  );
}

// Transactions may overtake each other; muting and unmuting must not.
function inTurn(house: House, userId: string, work: () => Promise<void>): Promise<void> {
  const last = lastFrames(house);
  const mine = (last.get(userId) ?? Promise.resolve()).then(work, work);
  last.set(userId, mine);
  const done = () => {
    if (last.get(userId) === mine) last.delete(userId);
  };
  mine.then(done, done);
  return mine;
}
