// Slots in the head of a conversation and in its menu, for later features.
import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";
import type { OwnConversation } from "../state.ts";

/** In the row of a conversation and in its head. */
export const conversationMenu = menuSlot<{ channel: OwnConversation }>();

/** In the head of a conversation, before the button of its people. */
export const inConversationHead = slot<{ channel: OwnConversation }>();
