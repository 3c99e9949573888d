// Puts conversations that were fetched into the copy: READY has the newest that are not hidden, and no others.
import type { Copy } from "../../../client/copy.ts";
import type { Conversation } from "../../channels/contract.ts";
import { toOwnConversation } from "../state.ts";

/** Returns the copy with a conversation, by default for its address alone. */
export function withConversation(copy: Copy, conversation: Conversation, isListed = false): Copy {
  const before = copy.direct.get(conversation.id);
  const now = toOwnConversation(copy.user.id, conversation, before);
  const direct = new Map(copy.direct).set(now.id, {
    ...now,
    isListed: isListed || before?.isListed === true,
  });
  return { ...copy, direct };
}
