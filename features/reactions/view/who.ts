// The names of the people who reacted to a message, fetched on demand.
import type { User } from "../../accounts/contract.ts";
import { listMembers } from "../../members/calls.ts";
import type { Message } from "../../messages/contract.ts";
import { listReactions } from "../calls.ts";

/** Nobody reads more names than this. */
const mostNames = 10;

interface Reader {
  id: string;
  /** The reader's own name here. */
  you: string;
  /** The people of the conversation. */
  met?: readonly User[] | undefined;
}

export async function whoReacted(
  message: Message,
  emoji: string,
  { id: ownId, you, met = [] }: Reader,
): Promise<{ names: string[]; others: number }> {
  const reactions = await listReactions({ params: { messageID: message.id } });
  const ids = reactions.find((each) => each.emoji === emoji)?.user_ids ?? [];
  // The user comes last: "Anna, Ben and you".
  const shown = [...ids.filter((id) => id !== ownId).slice(0, mostNames - 1)];
  const { items } =
    shown.length > 0 && message.server_id !== null
      ? await listMembers({ params: { id: message.server_id }, query: { ids: shown.join() } })
      : { items: [] };
  const people = [...met, ...items.map(({ user }) => user)];
  const names = shown.flatMap((id) => people.find((user) => user.id === id)?.display_name ?? []);
  const all = ids.includes(ownId) ? [...names, you] : names;
  return { names: all, others: ids.length - all.length };
}
