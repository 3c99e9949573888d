// A person in a room as reported by the media service.
import { type ParticipantInfo, ParticipantInfo_State, TrackSource } from "livekit-server-sdk";
import { id } from "../../protocol/shapes.ts";
import { bitsBehind } from "./grants.ts";

export interface Present {
  userId: string;
  sid: string;
  joinedAt: number;
  /**
   * True if media can reach the person. Before that they are only signed in, and behind some firewalls they stay in
   * that state.
   */
  isConnected: boolean;
  /** Null without a microphone. */
  microphone: "on" | "muted" | null;
  publishes: number | null;
}

/** Returns undefined for recorders, agents and phone callers, as far as the media service distinguishes them. */
export function presentOf(info: ParticipantInfo): Present | undefined {
  const person = id.safeParse(info.identity);
  const isOrdinary = info.kind === 0;
  if (!person.success || !isOrdinary) return undefined;
  const microphone = info.tracks.find((track) => track.source === TrackSource.MICROPHONE);
  return {
    userId: person.data,
    sid: info.sid,
    joinedAt: Number(info.joinedAtMs) || Number(info.joinedAt) * 1000 || Date.now(),
    isConnected: info.state === ParticipantInfo_State.ACTIVE,
    microphone: microphone ? (microphone.muted ? "muted" : "on") : null,
    publishes: bitsBehind(info.permission),
  };
}
