// Adds or removes the user's own reaction: shown at once, and reverted if the server rejects it.
import { copyAfter } from "../../../client/copy.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { House } from "../../../web/ui/session/house.tsx";
import { isViewed } from "../../../web/ui/session/viewed.ts";
import type { Words } from "../../../web/words/en.ts";
import type { Message } from "../../messages/contract.ts";
import { reasonOf } from "../../messages/view/actions/reason.ts";
import { addReaction, removeReaction } from "../calls.ts";
import { reactionAdded, reactionRemoved } from "../events.ts";

/** Requests in progress, by message and emoji: a second press meanwhile is ignored. */
const underWay = new Set<string>();

export async function toggle(message: Message, emoji: string, house: House, words: Words): Promise<void> {
  const { id } = message;
  const key = `${id} ${emoji}`;
  const isMine = message.reactions.some((each) => each.emoji === emoji && each.me);
  if (underWay.has(key) || isViewed(message.channel_id)) return;
  underWay.add(key);
  show(message, emoji, !isMine, house);
  try {
    if (isMine) await removeReaction({ params: { messageID: id, emoji } });
    else await addReaction({ params: { messageID: id }, body: { emoji } });
  } catch (error) {
    show(message, emoji, isMine, house);
    showToast({ text: words.reactions.cannot(reasonOf(error, words)), isAlert: true });
  } finally {
    underWay.delete(key);
  }
}

/** The event of the own reaction arrives later and changes nothing. */
function show(message: Message, emoji: string, isAdded: boolean, { chat }: House): void {
  const { type } = isAdded ? reactionAdded : reactionRemoved;
  const { id: message_id, channel_id, server_id, created_at: ts } = message;
  chat.change((copy) =>
    copyAfter(copy, {
      ...{ type, data: { message_id, channel_id, user_id: copy.user.id, emoji }, ts },
      ...(server_id !== null && { server_id }),
    }),
  );
}
