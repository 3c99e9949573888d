// The menu of a server at its tab: by right click, by the key for context menus, and by a long press.
import { type MouseEvent, type RefObject, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { useLongPress } from "../../../web/ui/browser/long-press.ts";
import { MenuOverlay } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { serverMenu } from "./slots.ts";

/** Returns the handlers for the tab, and the menu while it is open, to be rendered beside it. */
export function useTabMenu(server: OwnServer, tab: RefObject<HTMLElement | null>) {
  const { servers: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  const press = useLongPress(() => setOpen(true));
  return {
    handlers: {
      ...press.handlers,
      onContextMenu: (event: MouseEvent) => {
        event.preventDefault();
        setOpen(true);
      },
    },
    menu: isOpen && (
      <MenuOverlay
        label={words.serverMenu}
        items={menuOf(serverMenu, { server })}
        anchor={tab}
        placement="bottom start"
        onClose={() => setOpen(false)}
      />
    ),
  };
}
