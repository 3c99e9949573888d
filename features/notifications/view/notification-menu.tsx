// Notification items in the menus of servers and channels.
import { Bell, BellOff } from "lucide-react";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { type Place, useLevel, useWanted } from "./place.ts";
import { useMutedNow } from "./use-muted.ts";

const NotificationDialog = laterWithKeys(
  async () => (await import("./notification-dialog.tsx")).NotificationDialog,
);

export function useNotificationItems(place: Place): readonly MenuItem[] {
  const { notifications: words } = useWords();
  const isMuted = useMutedNow(useWanted(place).mutedUntil);
  const level = useLevel(place);
  return [
    {
      id: "notifications",
      label: words.menu,
      detail: words.levels[level],
      icon: isMuted ? BellOff : Bell,
      onChoose: () => openOver((close) => <NotificationDialog place={place} onClose={close} />),
    },
  ];
}
