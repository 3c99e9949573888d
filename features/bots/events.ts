// Kinds of events about the bots of a server.
import { kind } from "../../protocol/event.ts";
import type { PresentBot } from "./contract.ts";

export const botJoined = kind<PresentBot>("BOT_JOIN");
export const botLeft = kind<PresentBot>("BOT_LEAVE");
