// Grants of the media service for a person: in the join token, and while they are in the room.
import {
  AccessToken,
  type ParticipantInfo,
  type ParticipantPermission,
  TrackSource,
} from "livekit-server-sdk";
import { holds, permission } from "../../protocol/permissions.ts";
import type { Config } from "../../server/config/config.ts";

const tokenSeconds = 300;

/** The track sources that each permission bit allows. */
const sourcesOf = [
  [permission.SPEAK_VOICE, [TrackSource.MICROPHONE, TrackSource.CAMERA]],
  [permission.SHARE_SCREEN, [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO]],
] as const;

const combinations = [
  0,
  permission.SPEAK_VOICE,
  permission.SHARE_SCREEN,
  permission.SPEAK_VOICE | permission.SHARE_SCREEN,
];

/** Creates a token for this one room and nothing else. */
export function roomToken(
  { key, secret }: NonNullable<Config["livekit"]>,
  room: string,
  person: { id: string; display_name: string },
  bits: number,
): Promise<string> {
  const token = new AccessToken(key, secret, {
    identity: person.id,
    name: person.display_name,
    ttl: tokenSeconds,
  });
  const { canPublish, canPublishSources } = publishing(bits);
  token.addGrant({
    room,
    roomJoin: true,
    canSubscribe: true,
    canPublish,
    canPublishSources,
    // Text belongs in channels, under their permissions and moderation.
    canPublishData: false,
    canUpdateOwnMetadata: false,
  });
  return token.toJwt();
}

/** Returns a person's full permission in a room, which replaces the media service's earlier one. */
export function participantPermission(bits: number): Partial<ParticipantPermission> {
  return { ...publishing(bits), canSubscribe: true, canPublishData: false, canUpdateMetadata: false };
}

/** Returns the permission bits that match what the media service lets a person publish; null if none do. */
export function bitsBehind(given: ParticipantInfo["permission"]): number | null {
  if (!given) return null;
  const bits = combinations.find((each) => {
    const wanted = publishing(each);
    if (given.canPublish !== wanted.canPublish) return false;
    if (!given.canPublish) return true;
    return (
      given.canPublishSources.length === wanted.canPublishSources.length &&
      wanted.canPublishSources.every((source) => given.canPublishSources.includes(source))
    );
  });
  return bits ?? null;
}

// An empty list of sources alone would allow all of them.
function publishing(bits: number): { canPublish: boolean; canPublishSources: TrackSource[] } {
  const canPublishSources = sourcesOf.flatMap(([bit, sources]) => (holds({ bits }, bit) ? sources : []));
  return { canPublish: canPublishSources.length > 0, canPublishSources };
}
