// Calls of the operations about schedule, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const listEvents = calling<typeof contract.listEvents>("GET", "/servers/{id}/events");
export const createEvent = calling<typeof contract.createEvent>("POST", "/servers/{id}/events");
export const updateEvent = calling<typeof contract.updateEvent>("PATCH", "/events/{id}");
export const deleteEvent = calling<typeof contract.deleteEvent>("DELETE", "/events/{id}");
export const setRsvp = calling<typeof contract.setRsvp>("PUT", "/events/{id}/rsvp");
