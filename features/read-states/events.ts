// Kinds of events about what a person has read.
import { kind } from "../../protocol/event.ts";
import type { ReadState } from "./contract.ts";

/** So many mentions mean so many or more. */
export const mentionsCounted = 100;

export const readStateUpdated = kind<ReadState>("READ_STATE_UPDATE");
