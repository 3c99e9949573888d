// Calls of the operations about presence, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const setPresence = calling<typeof contract.setPresence>("PUT", "/auth/me/presence");
