// The items of a conversation's own menu: its link, and hiding it.
import { EyeOff, Link2 } from "lucide-react";
import { useLocation } from "wouter";
import { copyText } from "../../../web/ui/controls/copy-text.ts";
import { tellRefused } from "../../../web/ui/loading/tell-refused.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { hideConversation } from "../calls.ts";
import type { OwnConversation } from "../state.ts";
import { forgetOpen } from "./last-open.ts";

export function useConversationItems({ channel }: { channel: OwnConversation }): readonly MenuItem[] {
  const { direct: words } = useWords();
  const [path, navigate] = useLocation();
  const hide = async () => {
    forgetOpen(channel.id);
    // At its address it would be fetched again.
    if (path.startsWith(paths.channel(channel))) navigate(paths.server(null), { replace: true });
    await hideConversation({ params: { id: channel.id } });
    showToast({ text: words.hidden(channel.name) });
  };
  return [
    {
      id: "copy-link",
      label: words.copyLink,
      icon: Link2,
      onChoose: () => void copyText(location.origin + paths.channel(channel)),
    },
    {
      id: "hide",
      label: words.hide,
      icon: EyeOff,
      isApart: true,
      onChoose: () => void hide().catch(tellRefused),
    },
  ];
}
