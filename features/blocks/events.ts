// Kinds of events about the people whom a person blocks.
import { kind } from "../../protocol/event.ts";
import type { BlockList } from "./contract.ts";

export const blocksUpdated = kind<BlockList>("BLOCKS_UPDATE");
