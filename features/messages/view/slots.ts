// Extension points of a message for later features, which know about messages, but not vice versa.
import type { ReactNode } from "react";
import { slot } from "../../../web/ui/loading/slots.ts";
import type { OwnChannel } from "../../channels/state.ts";
import type { Message } from "../contract.ts";

/** Below the text and the files of a message. */
export const belowMessage = slot<{ message: Message }>();

/** Before the actions of a message, in their bar and in their sheet; `onDone` closes the sheet. */
export const beforeActions = slot<{ message: Message; isLarge?: boolean; onDone?: () => void }>();

/** Above the first message of a conversation. */
export const conversationBeginning = slot<{ channelId: string }>();

/** Between the head of a conversation and its messages. */
export const aboveMessages = slot<{ channel: OwnChannel }>();

/** Around the writing box of a conversation: where nobody can write it says why instead. */
export const aroundWriter = slot<{ channel: OwnChannel; children: ReactNode }>();

/** In an empty room, below the words that say so. */
export const inEmptyRoom = slot<{ channel: OwnChannel }>();
