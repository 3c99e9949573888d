// Calls of the operations about storage, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const getStorage = calling<typeof contract.getStorage>("GET", "/admin/storage");
