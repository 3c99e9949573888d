// Calls of the operations about instance, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const getInstance = calling<typeof contract.getInstance>("GET", "/instance");
export const getSettings = calling<typeof contract.getSettings>("GET", "/admin/settings");
export const setSettings = calling<typeof contract.setSettings>("PUT", "/admin/settings");
