// What later features add to the menu of a server: its settings, inviting people, leaving.
import type { ServerEntry } from "../../../client/ready.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";

export const serverMenu = menuSlot<{ server: ServerEntry }>();
