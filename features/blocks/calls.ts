// Calls of the operations about blocks, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const listBlocks = calling<typeof contract.listBlocks>("GET", "/blocks");
export const blockUser = calling<typeof contract.blockUser>("PUT", "/blocks/{userID}");
export const unblockUser = calling<typeof contract.unblockUser>("DELETE", "/blocks/{userID}");
