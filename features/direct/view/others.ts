// The people of a conversation besides its reader.
import type { User } from "../../accounts/contract.ts";
import type { OwnConversation } from "../state.ts";

export function othersIn(
  { recipients }: Pick<OwnConversation, "recipients">,
  ownId: string,
): readonly User[] {
  return recipients.filter(({ id }) => id !== ownId);
}

/** Returns the other one of two people; undefined in a group, and if their account is gone. */
export function otherIn(conversation: OwnConversation, ownId: string): User | undefined {
  return conversation.type === "direct" ? othersIn(conversation, ownId)[0] : undefined;
}
