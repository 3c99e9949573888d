// Kinds of events about where one is signed in.
import { kind } from "../../protocol/event.ts";

export const sessionsUpdated = kind<Record<string, never>>("SESSIONS_UPDATE");
