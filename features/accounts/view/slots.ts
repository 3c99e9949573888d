// Slots in the user's own row for later features: above it, and in its menu.

import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";

/** For example the current call. */
export const aboveYou = slot<Record<never, never>>();

/** The menu of the button "You". */
export const youMenu = menuSlot<Record<never, never>>();
