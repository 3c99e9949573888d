// Events about the people in voice channels.
import { kind } from "../../protocol/event.ts";
import type { VoiceOccupant } from "./contract.ts";

export const voiceJoined = kind<VoiceOccupant>("VOICE_JOIN");
export const voiceLeft = kind<VoiceOccupant>("VOICE_LEAVE");
export const voiceMuted = kind<VoiceOccupant & { muted: boolean }>("VOICE_MUTE");
export const voiceDeafened = kind<VoiceOccupant & { deafened: boolean }>("VOICE_DEAFEN");
