// The people in a voice room, as the gateway knows them: in a server's channel, or in a conversation.
import type { Copy } from "../../../client/copy.ts";
import type { VoiceState } from "../../../protocol/voice.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../../channels/state.ts";

type Room = Pick<OwnChannel, "id" | "server_id">;

const nobody: readonly VoiceState[] = [];

export function useVoices(room: Room): readonly VoiceState[] {
  return useCopy((copy) => statesAround(copy, room)).filter(({ channel_id }) => channel_id === room.id);
}

export function voiceOf(
  copy: Copy | undefined,
  room: Room,
  userId: string | undefined,
): VoiceState | undefined {
  if (!copy) return undefined;
  const isTheirs = ({ channel_id, user_id }: VoiceState) => channel_id === room.id && user_id === userId;
  return statesAround(copy, room).find(isTheirs);
}

/** All of a server's, so that the value stays the same until one of them changes. */
function statesAround({ direct, servers }: Copy, { id, server_id }: Room): readonly VoiceState[] {
  const around = server_id === null ? direct.get(id) : servers.find((server) => server.id === server_id);
  return around?.voice ?? nobody;
}
