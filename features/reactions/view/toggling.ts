// Adds one's own reaction to a message or takes it back: at once on the screen, and back again where the server refuses.
import { copyAfter } from "../../../client/copy.ts";
import { limits } from "../../../protocol/limits.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { House } from "../../../web/ui/session/house.tsx";
import type { Words } from "../../../web/words/en.ts";
import type { Message } from "../../messages/contract.ts";
import { reasonOf } from "../../messages/view/actions/reason.ts";
import { addReaction, removeReaction } from "../calls.ts";
import { reactionAdded, reactionRemoved } from "../events.ts";

/** No further kind of emoji has room under a message. */
export function isFull({ reactions }: Message): boolean {
  return reactions.length >= limits.reactions_max;
}

/** Reactions that are under way, by message and emoji: a second press waits for nobody, and is none. */
const underWay = new Set<string>();

export async function toggle(message: Message, emoji: string, house: House, words: Words): Promise<void> {
  const { id } = message;
  const key = `${id} ${emoji}`;
  const isMine = message.reactions.some((each) => each.emoji === emoji && each.me);
  if (underWay.has(key)) return;
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

/** The event of one's own reaction says the same again, and changes nothing then. */
function show(message: Message, emoji: string, isAdded: boolean, { chat }: House): void {
  const { type } = isAdded ? reactionAdded : reactionRemoved;
  const { id: message_id, channel_id, server_id, created_at: ts } = message;
  chat.change((copy) =>
    copyAfter(copy, { type, data: { message_id, channel_id, user_id: copy.user.id, emoji }, server_id, ts }),
  );
}
