// Extension points of a message for later features, which know about messages, but not vice versa.
import { slot } from "../../../web/ui/loading/slots.ts";
import type { OwnChannel } from "../../channels/state.ts";
import type { Message } from "../contract.ts";

/** Below the text and the files of a message. */
export const belowMessage = slot<{ message: Message }>();

/** Before the actions of a message, in their bar and in their sheet; `onDone` closes the sheet. */
export const beforeActions = slot<{ message: Message; isLarge?: boolean; onDone?: () => void }>();

/** In an empty room, below the words that say so. */
export const inEmptyRoom = slot<{ channel: OwnChannel }>();
