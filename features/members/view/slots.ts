// What later features put on a person's card: whether they can be reached, and what one can do about them.
import { slot } from "../../../web/ui/loading/slots.ts";
import type { User } from "../../accounts/contract.ts";

/** Below what they say of themselves. */
export const onCard = slot<{ user: User; serverId: string }>();

/** Buttons at the foot of the card. */
export const cardActions = slot<{ user: User; serverId: string; close(): void }>();
