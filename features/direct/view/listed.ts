// The conversations in the order of the list: the newest talk first.
import type { Conversations, OwnConversation } from "../state.ts";

export function listedIn(conversations: Conversations): OwnConversation[] {
  const listed = [...conversations.values()].filter(({ isListed }) => isListed);
  return listed.sort((one, other) => (sortsBy(one) < sortsBy(other) ? 1 : -1));
}

function sortsBy({ id, last_message_id }: OwnConversation): string {
  return last_message_id ?? id;
}

/** Returns the time of the newest message; undefined where there is none. Ids begin with their time. */
export function lastTalkAt({ last_message_id }: OwnConversation): Date | undefined {
  if (last_message_id === null) return undefined;
  return new Date(Number.parseInt(last_message_id.replace("-", "").slice(0, 12), 16));
}
