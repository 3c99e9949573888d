// Slots on a person's card and in the menu of a member for later features: availability, and actions.
import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";
import type { User } from "../../accounts/contract.ts";

/** Below the person's own texts and roles. */
export const onCard = slot<{ user: User; serverId: string | null }>();

/** Buttons at the foot of the card, the reader's own too. */
export const cardActions = slot<{ user: User; serverId: string | null; close(): void }>();

/** The menu of a member, at their row in the list. */
export const memberMenu = menuSlot<{ user: User; serverId: string }>();
