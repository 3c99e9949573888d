// The rate limit on changes of a person's list of blocks.
import { limits } from "../../protocol/limits.ts";
import { listPace } from "../../server/house/list-pace.ts";

/** Throws rate_limited. */
export const takeTurn = listPace(
  "blocks",
  limits.blocks_max,
  "You change whom you block too often. Wait a moment.",
);
