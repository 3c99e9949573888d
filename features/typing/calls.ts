// Calls of the operations about typing, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const startTyping = calling<typeof contract.startTyping>("POST", "/channels/{id}/typing");
