// Kinds of events about calls that ring in conversations.
import { kind } from "../../protocol/event.ts";
import type { Ringing, RingingEnded } from "./contract.ts";

export const callRings = kind<Ringing>("CALL_RING");
export const callEnded = kind<RingingEnded>("CALL_END");
