// "Copy link" in the menu of a server.
import { Link2 } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { copyText } from "../../../web/ui/controls/copy-text.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

export function useServerLinkItem({ server }: { server: OwnServer }): readonly MenuItem[] {
  const { servers: words } = useWords();
  const copy = () => void copyText(location.origin + paths.server(server.id));
  return [{ id: "copy-link", label: words.copyLink, icon: Link2, onChoose: copy }];
}
