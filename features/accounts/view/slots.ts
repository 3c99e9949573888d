// What later features add to one's own row: above it, and in its menu.

import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";

/** The call that one is in, say. */
export const aboveYou = slot<Record<never, never>>();

/** The menu of the button "You"; its first item is "Settings". */
export const youMenu = menuSlot<Record<never, never>>();
