// Frames by which a person in a voice room mutes or deafens themselves, applied in order.
import { Refusal } from "../../protocol/errors.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { Queues } from "../../server/queue.ts";
import { need } from "../servers/access.ts";
import { findRoom } from "./access.ts";
import { selectParticipant, type VoiceParticipantsTable } from "./store.ts";

type Change = (unit: UnitOfWork, row: VoiceParticipantsTable, standing: Standing) => Promise<void>;

/** By person. Transactions may overtake each other, but muting and unmuting must not. */
const frames = perHouse("queue", () => new Queues());

/** Runs `change` for a person who is in this room, and may be there. */
export function inRoom(unit: UnitOfWork, userId: string, channelId: string, change: Change): Promise<void> {
  return frames(unit.house).run(userId, () =>
    unit.write(async (write) => {
      const { channel, standing } = await findRoom(write, userId, channelId);
      need(standing, "CONNECT_VOICE");
      const row = await selectParticipant(write.db, channel.id, userId);
      if (!row) throw new Refusal("conflict", "You are not in this voice room.");
      await change(write, row, standing);
    }),
  );
}
