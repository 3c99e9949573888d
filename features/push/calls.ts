// Calls of the operations about push, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const getVapidKey = calling<typeof contract.getVapidKey>("GET", "/push/vapid-public-key");
export const subscribe = calling<typeof contract.subscribe>("POST", "/push/subscribe");
export const unsubscribe = calling<typeof contract.unsubscribe>("POST", "/push/unsubscribe");
export const sendTestPush = calling<typeof contract.sendTestPush>("POST", "/admin/test-push");
