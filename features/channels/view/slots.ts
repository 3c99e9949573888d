// Slots in a channel's row and head, and for the room of a voice channel, for later features.

import type { OwnServer } from "../../../client/servers.ts";
import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";
import type { OwnChannel } from "../state.ts";

/** The head of a conversation, in the place of a channel's. */
export const conversationHead = slot<{ channel: OwnChannel }>();

/** At the end of the head of a room or conversation, before the button of its people. */
export const inRoomHead = slot<{ channel: OwnChannel }>();

/** At the end of a channel's row, for example to join its voice room. */
export const besideChannel = slot<{ channel: OwnChannel }>();

/** The content of an open voice channel. */
export const voiceRoom = slot<{ channel: OwnChannel }>();

interface CategoryProps {
  server: OwnServer;
  name: string;
  onFoldAll(): void;
}

/** The menu of a category, at its row in the list. */
export const categoryMenu = menuSlot<CategoryProps>();

/** The menu of a channel, in its row and in the head of its room. */
export const channelMenu = menuSlot<{ channel: OwnChannel }>();
