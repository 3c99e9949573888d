// The menu of a conversation, for items of later features.
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";
import type { OwnConversation } from "../state.ts";

/** In the row of a conversation and in its head. */
export const conversationMenu = menuSlot<{ channel: OwnConversation }>();
