// A server or channel as the subject of a notification setting.
import { channelIn, type OwnServer } from "../../../client/servers.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../../channels/state.ts";
import { signed } from "../../channels/view/signed.ts";
import { setChannelNotifications, setServerNotifications } from "../calls.ts";
import type { Level } from "../contract.ts";
import { levelOf, ofChannel, ofServer, type Wanted } from "./levels.ts";

export type Place =
  | { server: Pick<OwnServer, "id" | "name"> }
  | { channel: Pick<OwnChannel, "id" | "name" | "type"> };

/** "Ubuntu", "#help", "Mei Tanaka". */
export function nameOf(place: Place): string {
  return "server" in place ? place.server.name : signed(place.channel);
}

export function useWanted(place: Place): Wanted {
  const settings = useCopy((copy) => copy.notificationSettings);
  return "server" in place ? ofServer(settings, place.server.id) : ofChannel(settings, place.channel.id);
}

/** The level that counts while the place is not muted. */
export function useLevel(place: Place): Level {
  const settings = useCopy((copy) => copy.notificationSettings);
  const serverId = useServerOf(place)?.id ?? null;
  return "server" in place
    ? ofServer(settings, place.server.id).level
    : levelOf(settings, { serverId, channelId: place.channel.id });
}

/** The server of a channel, whose settings apply where the channel has none. */
export function useServerOf(place: Place): Pick<OwnServer, "id" | "name"> | undefined {
  const channelId = "channel" in place ? place.channel.id : undefined;
  return useCopy((copy) => {
    const serverId = channelId && channelIn(copy, channelId)?.server_id;
    return copy.servers.find(({ id }) => id === serverId);
  });
}

/** Throws CallError. The change arrives as an event. */
export async function setWanted(place: Place, { level, mutedUntil }: Wanted): Promise<void> {
  if ("server" in place) {
    const body = { level: level ?? ("mentions" satisfies Level), muted_until: mutedUntil };
    await setServerNotifications({ params: { id: place.server.id }, body });
  } else {
    await setChannelNotifications({
      params: { channelID: place.channel.id },
      body: { level, muted_until: mutedUntil },
    });
  }
}
