// "Mark as read" in the menus of servers, categories and channels.
import { CheckCheck } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { allCommands, keysOf } from "../../../web/ui/keys/keys.ts";
import { readable } from "../../../web/ui/keys/readable-keys.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { shortcutOf } from "../../channels/view/move-keys.ts";
import { channelsOfCategory } from "../../channels/view/of-category.ts";
import { signed } from "../../channels/view/signed.ts";
import { markRead, unreadChannelsIn } from "./marking.ts";

/** The item in the menu of a server. */
export function useServerReadItem({ server }: { server: OwnServer }): readonly MenuItem[] {
  const item = useReadItem({ name: server.name, serverId: server.id });
  const key = allCommands().get("markRead");
  // The key marks the server that is open.
  if (!key || !`${location.pathname}/`.startsWith(`${paths.server(server.id)}/`)) return [item];
  return [{ ...item, keys: readable(keysOf(key)).join(" "), spokenKeys: shortcutOf(key) }];
}

/** The item in the menu of a channel; voice rooms have nothing to read. */
export function useChannelReadItem({ channel }: { channel: OwnChannel }): readonly MenuItem[] {
  const item = useReadItem({ name: signed(channel), serverId: channel.server_id, channelIds: [channel.id] });
  return channel.type === "voice" ? [] : [item];
}

/** The item in the menu of a category. */
export function useCategoryReadItem({
  server,
  name,
}: {
  server: OwnServer;
  name: string;
}): readonly MenuItem[] {
  const channelIds = channelsOfCategory(server, name).map(({ id }) => id);
  return [useReadItem({ name, serverId: server.id, channelIds })];
}

/** Disabled where nothing is unread. */
function useReadItem(place: Parameters<typeof markRead>[0]): MenuItem {
  const words = useWords();
  const house = useHouse();
  const isDisabled = useCopy((copy) => unreadChannelsIn(copy, place).length === 0);
  return {
    id: "mark-read",
    label: words.readStates.markRead,
    icon: CheckCheck,
    isDisabled,
    onChoose: () => void markRead(place, house, words),
  };
}
