// Calls of the operations on own pictures, for pages; a form is sent by `view/sending.ts`.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const deleteAvatar = calling<typeof contract.deleteAvatar>("DELETE", "/auth/me/avatar");
export const deleteServerIcon = calling<typeof contract.deleteServerIcon>("DELETE", "/servers/{id}/icon");
export const deleteBotAvatar = calling<typeof contract.deleteBotAvatar>("DELETE", "/bots/{id}/avatar");
