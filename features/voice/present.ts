// A person in a room, as the media service tells it.
import { type ParticipantInfo, ParticipantInfo_State, TrackSource } from "livekit-server-sdk";
import { id } from "../../protocol/shapes.ts";
import { bitsBehind } from "./grants.ts";

export interface Present {
  userId: string;
  sid: string;
  joinedAt: number;
  /** Whether sound can reach them. Before, they have only said hello, and with some firewalls it stays at that. */
  isConnected: boolean;
  /** Null while there is no microphone. */
  microphone: "on" | "muted" | null;
  publishes: number | null;
}

/** Somebody of ours, as far as one can tell from the outside: recorders, agents and callers by phone are not. */
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
