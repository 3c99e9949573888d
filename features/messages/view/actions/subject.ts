// A message and its reader, as the client's copy knows them now.
import { useMemo } from "react";
import { channelIn } from "../../../../client/servers.ts";
import { type House, useChannel, useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { type Deed, type Subject, type Verb, verbs } from "./verbs.ts";

export function subjectOf(message: Message, { chat }: House): Subject | undefined {
  const { copy } = chat.state;
  const channel = channelIn(copy, message.channel_id);
  return copy && channel && { message, channel, userId: copy.user.id };
}

/** Returns the verbs that apply to a message, and the function that runs one of them. */
export function useVerbs(message: Message): {
  applying: readonly Verb[];
  act(verb: Verb, where: Pick<Deed, "row" | "opener" | "isAtOnce">): void;
} {
  const house = useHouse();
  const words = useWords();
  const channel = useChannel(message.channel_id);
  const userId = useCopy(({ user }) => user.id);
  return useMemo(() => {
    const subject = channel && { message, channel, userId };
    return {
      applying: subject ? verbs.filter((verb) => verb.applies(subject)) : [],
      act: (verb, where) => subject && verb.run({ ...subject, house, words, ...where }),
    };
  }, [house, words, message, channel, userId]);
}
