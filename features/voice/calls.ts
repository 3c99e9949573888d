// Calls of the operations about voice, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createVoiceToken = calling<typeof contract.createVoiceToken>("POST", "/voice/token");
export const listVoiceParticipants = calling<typeof contract.listVoiceParticipants>(
  "GET",
  "/voice/rooms/{roomID}/participants",
);
