// Kinds of events about what a person has read.
import { kind } from "../../protocol/event.ts";
import type { ReadState } from "./contract.ts";

export const readStateUpdated = kind<ReadState>("READ_STATE_UPDATE");
