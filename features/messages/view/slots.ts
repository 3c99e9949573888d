// What later features put into a message: they know of messages, messages not of them.
import { slot } from "../../../web/ui/loading/slots.ts";
import type { Channel } from "../../channels/contract.ts";
import type { Message } from "../contract.ts";

/** Under the text and the files of a message. */
export const belowMessage = slot<{ message: Message }>();

/** In front of a message's actions, in their bar and in their sheet; `onDone` closes the sheet. */
export const beforeActions = slot<{ message: Message; isLarge?: boolean; onDone?: () => void }>();

/** In a room where nothing was said yet, below the words that say so. */
export const inEmptyRoom = slot<{ channel: Channel }>();
