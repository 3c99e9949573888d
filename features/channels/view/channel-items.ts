// Menu items about channels, in the menus of servers and channels.
import { ArrowDown, ArrowUp, Link2, Plus, Settings, Trash2 } from "lucide-react";
import { createElement } from "react";
import { useLocation } from "wouter";
import type { OwnServer } from "../../../client/servers.ts";
import { copyText } from "../../../web/ui/controls/copy-text.ts";
import { keysOf } from "../../../web/ui/keys/keys.ts";
import { readable } from "../../../web/ui/keys/readable-keys.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useHouse, useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../state.ts";
import { mayManage, openCreate } from "./creating.ts";
import { moves, shortcutOf } from "./move-keys.ts";
import { moveByStep } from "./moving.ts";
import { stepped } from "./steps.ts";

const DeleteChannel = laterWithKeys(async () => (await import("./delete-channel.tsx")).DeleteChannel);

/** Items for the menu of a server. */
export function useCreateItem({ server }: { server: OwnServer }): readonly MenuItem[] {
  const { channels: words } = useWords();
  if (!mayManage(server)) return [];
  return [
    { id: "create-channel", label: words.create, icon: Plus, onChoose: () => openCreate(server, null) },
  ];
}

/** "Copy link" in the menu of a channel. */
export function useChannelLinkItem({ channel }: { channel: OwnChannel }): readonly MenuItem[] {
  const { channels: words } = useWords();
  const copy = () => void copyText(location.origin + paths.channel(channel));
  return [{ id: "copy-link", label: words.copyLink, icon: Link2, onChoose: copy }];
}

/** Settings, moves and deletion in the menu of a channel, for people who may manage it. */
export function useChannelItems({ channel }: { channel: OwnChannel }): readonly MenuItem[] {
  const server = useServer(channel.server_id);
  const steps = useSteps(channel, server);
  const [, navigate] = useLocation();
  const { channels: words } = useWords();
  if (!mayManage(channel)) return [];
  return [
    {
      id: "channel-settings",
      label: words.settings,
      icon: Settings,
      onChoose: () => navigate(paths.channelSettings(channel, "overview")),
    },
    ...steps,
    {
      id: "delete",
      label: words.delete,
      icon: Trash2,
      isDanger: true,
      isApart: true,
      onChoose: () => openOver((onClose) => createElement(DeleteChannel, { channel, onClose })),
    },
  ];
}

function useSteps(channel: OwnChannel, server: OwnServer | undefined): readonly MenuItem[] {
  const { channels: words } = useWords();
  const { chat } = useHouse();
  const step = (id: "up" | "down", by: 1 | -1, icon: MenuItem["icon"]): readonly MenuItem[] => {
    if (!server || !stepped(server.channels, channel.id, by)) return [];
    const onChoose = () => moveByStep(chat, channel, by, words);
    const keys = readable(keysOf(moves[id])).join(" ");
    const spokenKeys = shortcutOf(moves[id]);
    return [{ id, label: words[id], keys, spokenKeys, ...(icon && { icon }), onChoose }];
  };
  return [...step("up", -1, ArrowUp), ...step("down", 1, ArrowDown)];
}
