// Slots on a person's card and in the menu of a member for later features: availability, and actions.
import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";
import type { User } from "../../accounts/contract.ts";

/** Facts between the name and the buttons of the card. */
export const onCard = slot<{ user: User; serverId: string | null }>();

/** Buttons of the card below its head, on the reader's own too. */
export const cardActions = slot<{ user: User; serverId: string | null; close(): void }>();

/** The menu of a person: at their row in the list of members, their name, and on their card. `serverId` is null in conversations. */
export const memberMenu = menuSlot<{ user: Pick<User, "id" | "display_name">; serverId: string | null }>();
