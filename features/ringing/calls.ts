// Calls of the operations about calls that ring, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const startCall = calling<typeof contract.startCall>("POST", "/channels/{id}/call");
export const endCall = calling<typeof contract.endCall>("DELETE", "/channels/{id}/call");
