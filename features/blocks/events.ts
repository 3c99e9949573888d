// Kinds of events about blocks.
import { kind } from "../../protocol/event.ts";
import type { BlockList } from "./contract.ts";

export const blocksUpdated = kind<BlockList>("BLOCKS_UPDATE");
