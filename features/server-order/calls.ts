// Calls of the operations about the order of servers, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const setServerOrder = calling<typeof contract.setServerOrder>("PUT", "/auth/me/server-order", {
  outlivesPage: true,
});
