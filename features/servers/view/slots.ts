// Extension points for later features: items in the menu of a server, and parts of the strip of servers.
import type { RefObject } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";

/** `isAtTab`: the menu of the tab in the strip, not the one beside the name. */
export const serverMenu = menuSlot<{ server: OwnServer; isAtTab?: true }>();

/** At the start of the strip, before the servers; it never scrolls away. */
export const beforeServers = slot<Record<never, never>>();

export interface StripProps {
  /** The whole strip. The tabs are the children of its element with `data-tabs`, the edges have `data-edge`. */
  strip: RefObject<HTMLElement | null>;
  /** In the order of their tabs. */
  servers: readonly OwnServer[];
  currentId: string | undefined;
  /** True if the tabs scroll, because there are more than fit. */
  isMany: boolean;
  addressOf(server: OwnServer): string;
  onAdd(): void;
}

/** Behind the servers, before the button that adds one. */
export const afterServers = slot<StripProps>();
