// Events about read messages.
import { kind } from "../../protocol/event.ts";
import type { ReadState } from "./contract.ts";

/** This number of mentions stands for itself and everything above. */
export const mentionsCounted = 100;

export const readStateUpdated = kind<ReadState>("READ_STATE_UPDATE");
