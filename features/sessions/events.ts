// Events about a person's sessions.
import { kind } from "../../protocol/event.ts";

export const sessionsUpdated = kind<Record<string, never>>("SESSIONS_UPDATE");
