// Calls of the operations about availability, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const getMyAvailability = calling<typeof contract.getMyAvailability>("GET", "/auth/me/availability");
export const setAvailability = calling<typeof contract.setAvailability>("PUT", "/auth/me/availability");
export const getAvailability = calling<typeof contract.getAvailability>("GET", "/users/{id}/availability");
