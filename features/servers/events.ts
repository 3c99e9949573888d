// Kinds of events about a server itself.
import { kind } from "../../protocol/event.ts";
import type { SharedServer } from "./contract.ts";

export const serverUpdated = kind<SharedServer>("SERVER_UPDATE");
export const serverDeleted = kind<{ id: string }>("SERVER_DELETE");

/** Sent to a new member: what READY would say of the server. No feature declares it, the gateway makes it. */
export const serverGained = kind<SharedServer>("SERVER_CREATE");
