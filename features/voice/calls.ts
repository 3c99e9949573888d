// Calls of the operations about voice, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createVoiceToken = calling<typeof contract.createVoiceToken>("POST", "/voice/token");
