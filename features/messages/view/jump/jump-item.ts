// "Jump to date" in the menus of channels and conversations.
import { CalendarSearch } from "lucide-react";
import { createElement } from "react";
import { laterWithKeys } from "../../../../web/ui/loading/later.tsx";
import { openOver } from "../../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";

const JumpToDate = laterWithKeys(async () => (await import("./jump-to-date.tsx")).JumpToDate);

export function useJumpItem({ channel }: { channel: OwnChannel }): readonly MenuItem[] {
  const { messages: words } = useWords();
  if (channel.type === "voice") return [];
  return [
    {
      id: "jump-to-date",
      label: words.jumpToDate,
      icon: CalendarSearch,
      onChoose: () => openOver((onClose) => createElement(JumpToDate, { channel, onClose })),
    },
  ];
}
