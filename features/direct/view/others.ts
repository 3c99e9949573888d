// The people of a conversation besides its reader, and how it is called where there is little room.
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

/** Returns the name in the list: of a group without its own, the first names of its people. */
export function shortNameOf(conversation: OwnConversation, ownId: string): string {
  const { type, name, given_name } = conversation;
  if (type === "direct" || given_name !== null) return name;
  return othersIn(conversation, ownId).map(firstNameOf).join(", ") || name;
}

export function firstNameOf({ display_name }: User): string {
  return display_name.split(" ")[0] ?? display_name;
}
