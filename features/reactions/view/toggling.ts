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

/** The last wish by message and emoji, while a request is in progress: a press meanwhile is sent after it. */
const wishes = new Map<string, boolean>();

export async function toggle(message: Message, emoji: string, house: House, words: Words): Promise<void> {
  const { id } = message;
  const key = `${id} ${emoji}`;
  if (isViewed(message.channel_id)) return;
  const before = wishes.get(key);
  let isThere = message.reactions.some((each) => each.emoji === emoji && each.me);
  const isWished = !(before ?? isThere);
  wishes.set(key, isWished);
  show(message, emoji, isWished, house);
  if (before !== undefined) return;
  try {
    while (wishes.get(key) !== isThere) {
      if (isThere) await removeReaction({ params: { messageID: id, emoji } });
      else await addReaction({ params: { messageID: id }, body: { emoji } });
      isThere = !isThere;
    }
  } catch (error) {
    show(message, emoji, isThere, house);
    showToast({ text: words.reactions.cannot(reasonOf(error, words)), isAlert: true });
  } finally {
    wishes.delete(key);
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
