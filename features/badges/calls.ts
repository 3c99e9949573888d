// Calls of the operations about badges, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const listBadges = calling<typeof contract.listBadges>("GET", "/badges");
export const createBadge = calling<typeof contract.createBadge>("POST", "/badges");
export const deleteBadge = calling<typeof contract.deleteBadge>("DELETE", "/badges/{id}");
export const listBadgesOf = calling<typeof contract.listBadgesOf>("GET", "/users/{id}/badges");
export const giveBadge = calling<typeof contract.giveBadge>("PUT", "/users/{id}/badges/{badgeID}");
export const takeBadge = calling<typeof contract.takeBadge>("DELETE", "/users/{id}/badges/{badgeID}");
