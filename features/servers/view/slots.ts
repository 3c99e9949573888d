// Extension point for later features: items in the menu of a server, such as inviting people or leaving.
import type { ServerEntry } from "../../../client/ready.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";

export const serverMenu = menuSlot<{ server: ServerEntry }>();
