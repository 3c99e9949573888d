// Operations on blocks.
import { full } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { usersSeenBy } from "../members/access.ts";
import { findBlock, homeOfTwo } from "./access.ts";
import * as contract from "./contract.ts";
import { takeTurn } from "./pace.ts";
import { blockMigrations, deleteBlock, insertBlock, selectBlocked } from "./store.ts";

export const blocks: Feature = {
  name: "blocks",
  migrations: blockMigrations,
  events: [contract.blocksUpdated],
  operations: [
    handle(contract.listBlocks, async ({ caller, unit }) => {
      const ids = await selectBlocked(unit.db, caller.userId);
      return inPieces(ids, async (piece) => {
        const users = await usersSeenBy(unit, caller.userId, piece);
        return piece.flatMap((id) => users.get(id) ?? []);
      });
    }),

    handle(contract.blockUser, async ({ caller, params, unit }) => {
      if (await findBlock(unit, caller.userId, params.userID)) return;
      if ((await selectBlocked(unit.db, caller.userId)).length >= limits.blocks_max) {
        throw full("One person can block", limits.blocks_max, "people", "Take one block back first.");
      }
      await takeTurn(unit.house, caller.userId);
      await insertBlock(unit.db, caller.userId, params.userID);
      await emitBlocksUpdated(unit, caller.userId, params.userID);
    }),

    handle(contract.unblockUser, async ({ caller, params, unit }) => {
      if (await findBlock(unit, caller.userId, params.userID)) {
        await takeTurn(unit.house, caller.userId);
        await deleteBlock(unit.db, caller.userId, params.userID);
        await emitBlocksUpdated(unit, caller.userId, params.userID);
      }
    }),
  ],
};

async function emitBlocksUpdated(unit: UnitOfWork, userId: string, otherId: string): Promise<void> {
  const own = personPlace(userId);
  const [home = own.home] = (await unit.ask(homeOfTwo, userId, otherId)).flatMap((home) => home ?? []);
  unit.emit(contract.blocksUpdated, { ...own, home }, { user_ids: await selectBlocked(unit.db, userId) });
}
