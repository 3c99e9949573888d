// Extension point for later features: items in the menu of a server, such as inviting people or leaving.
import type { OwnServer } from "../../../client/servers.ts";
import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";

export const serverMenu = menuSlot<{ server: OwnServer }>();

/** At the start of the strip, before the servers; it never scrolls away. */
export const beforeServers = slot<Record<never, never>>();
