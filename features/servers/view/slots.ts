// Extension point for later features: items in the menu of a server, such as inviting people or leaving.
import type { OwnServer } from "../../../client/servers.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";

export const serverMenu = menuSlot<{ server: OwnServer }>();
