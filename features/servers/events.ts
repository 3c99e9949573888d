// Events about a server itself.
import { kind } from "../../protocol/event.ts";
import type { SharedServer } from "./contract.ts";

export const serverUpdated = kind<SharedServer>("SERVER_UPDATE");
export const serverDeleted = kind<{ id: string }>("SERVER_DELETE");

/** Sent to a new member: the server as in READY. No feature declares it; the gateway creates it. */
export const serverGained = kind<SharedServer>("SERVER_CREATE");
