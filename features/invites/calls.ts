// Calls of the operations about invites, for pages.
import { calling, listing } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createInvite = calling<typeof contract.createInvite>("POST", "/invites");
export const getInvite = calling<typeof contract.getInvite>("GET", "/invites/{code}");
export const previewInvite = calling<typeof contract.previewInvite>("GET", "/invites/{code}/preview");
export const joinByInvite = calling<typeof contract.joinByInvite>("POST", "/invites/{code}/join");
export const listInvites = listing<typeof contract.listInvites>("GET", "/servers/{id}/invites");
export const deleteInvite = calling<typeof contract.deleteInvite>("DELETE", "/invites/{code}");
