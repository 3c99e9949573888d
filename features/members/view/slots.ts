// Slots on a person's card for later features: availability, and actions.
import { slot } from "../../../web/ui/loading/slots.ts";
import type { User } from "../../accounts/contract.ts";

/** Below the person's own texts and roles. */
export const onCard = slot<{ user: User; serverId: string | null }>();

/** Buttons at the foot of the card. */
export const cardActions = slot<{ user: User; serverId: string | null; close(): void }>();
