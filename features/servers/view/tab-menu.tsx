// The menu of a server at its tab: by right click, by the key for context menus, and by a long press.
import type { OwnServer } from "../../../client/servers.ts";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { MenuOverlay } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { serverMenu } from "./slots.ts";

interface Props {
  server: OwnServer;
  tab: HTMLElement;
  onClose(): void;
}

export function openTabMenu(server: OwnServer, tab: HTMLElement): void {
  openOver((close) => <TabMenu server={server} tab={tab} onClose={close} />);
}

function TabMenu({ server, tab, onClose }: Props) {
  const { servers: words } = useWords();
  return (
    <MenuOverlay
      label={words.serverMenu}
      items={menuOf(serverMenu, { server, isAtTab: true })}
      anchor={{ current: tab }}
      placement="bottom start"
      onClose={onClose}
    />
  );
}
