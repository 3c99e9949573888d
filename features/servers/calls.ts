// Calls of the operations about servers, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createServer = calling<typeof contract.createServer>("POST", "/servers");
export const updateServer = calling<typeof contract.updateServer>("PATCH", "/servers/{id}");
export const deleteServer = calling<typeof contract.deleteServer>("DELETE", "/servers/{id}");
export const handOver = calling<typeof contract.handOver>("POST", "/servers/{id}/owner");
