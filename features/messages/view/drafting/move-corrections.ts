// Moves edits of deleted messages into the drafts of their channels, so that no typed text is lost.
import type { Chat } from "../../../../client/chat.ts";
import type { Drafts } from "../../../../client/drafts.ts";
import { type Look, watchDeletions } from "./deletions.ts";
import { useEditing } from "./editing.ts";
import { correctionOf, dropCorrection, keptCorrections, type Named } from "./kept-corrections.ts";

/** Appends the text to the draft of the channel. Returns whether there was anything to move. */
export function moveCorrection(drafts: Drafts, message: Named, text: string): boolean {
  const { messageId, stop } = useEditing.getState();
  if (messageId === message.id) stop();
  dropCorrection(message);
  if (text.trim() === "") return false;
  const before = drafts.get(message.channel_id)?.text;
  drafts.change(message.channel_id, { text: before ? `${before}\n\n${text}` : text });
  return true;
}

/**
 * Moves kept edits of deleted messages, including those deleted before the call. Returns the function that stops
 * listening.
 */
export function moveWithMessages(
  chat: Pick<Chat, "listen" | "state">,
  drafts: Drafts,
  moved: (channelId: string) => void,
  look: Omit<Look, "atOnce"> = {},
) {
  const watched = {
    ids: () => keptCorrections().map(({ id }) => id),
    gone(id: string) {
      const message = keptCorrections().find((each) => each.id === id);
      if (message && moveCorrection(drafts, message, correctionOf(message) ?? "")) moved(message.channel_id);
    },
  };
  return watchDeletions(chat, watched, { ...look, atOnce: chat.state.generation > 0 });
}
