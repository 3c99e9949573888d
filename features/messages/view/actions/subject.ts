// A message and its reader, as the client's copy knows them now, or as the role has them that the reader looks as.
import { asSeenBy, channelIn } from "../../../../client/servers.ts";
import { type House, useChannel, useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { isViewed, useViewed, useViewedAs } from "../../../../web/ui/session/viewed.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { type Deed, type Subject, type Verb, verbs } from "./verbs.ts";

export function subjectOf(message: Message, { chat }: House): Subject | undefined {
  const { copy } = chat.state;
  const channel = channelIn(copy, message.channel_id);
  const server = copy?.servers.find(({ id }) => id === channel?.server_id);
  if (!copy || !channel) return undefined;
  if (!server || !isViewed(channel.id)) return { message, channel, userId: copy.user.id };
  // No message is the role's own.
  return { message, channel: asSeenBy(useViewed.getState().roleId, server, channel), userId: "" };
}

/** While the reader looks at the channel as a role, only what sends nothing is done. */
export function run(verb: Verb, deed: Deed): void {
  if (verb.isLocal || !isViewed(deed.channel.id)) verb.run(deed);
}

/** Returns the verbs that apply to a message, those of them for its bar, and the function that runs one. */
export function useVerbs(message: Message): {
  applying: readonly Verb[];
  inBar: readonly Verb[];
  act(verb: Verb, where: Pick<Deed, "row" | "opener" | "isAtOnce">): void;
} {
  const house = useHouse();
  const words = useWords();
  // The subject changes with these.
  useChannel(message.channel_id);
  useViewedAs(message.channel_id);
  useCopy(({ user }) => user.id);
  const subject = subjectOf(message, house);
  const applying = subject ? verbs.filter((verb) => verb.applies(subject)) : [];
  return {
    applying,
    inBar: subject ? applying.filter((verb) => verb.isInBar?.(subject)) : [],
    act: (verb, where) => subject && run(verb, { ...subject, house, words, ...where }),
  };
}
