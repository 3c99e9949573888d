// What later features put into a channel's row and head, and what the room of a voice channel is.

import { slot } from "../../../web/ui/loading/slots.ts";
import { menuSlot } from "../../../web/ui/overlays/menu-slots.ts";
import type { Channel } from "../contract.ts";

/** At the end of the head of a room, before the button of the members. */
export const inRoomHead = slot<{ channel: Channel }>();

/** At the end of a channel's row: joining its voice, say. */
export const besideChannel = slot<{ channel: Channel }>();

/** What a voice channel shows when it is open. */
export const voiceRoom = slot<{ channel: Channel }>();

/** The menu of a channel, in its row and in the head of its room. */
export const channelMenu = menuSlot<{ channel: Channel }>();
