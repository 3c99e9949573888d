// A message and its reader, as the client's copy knows them now.
import { useMemo } from "react";
import { type House, useCopy, useHouse, useServer } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { type Deed, type Subject, type Verb, verbs } from "./verbs.ts";

export function subjectOf(message: Message, { chat }: House): Subject | undefined {
  const { copy } = chat.state;
  const server = copy?.servers.find(({ id }) => id === message.server_id);
  return copy && server && { message, server, userId: copy.user.id };
}

/** Returns the verbs that apply to a message, and the function that runs one of them. */
export function useVerbs(message: Message): {
  applying: readonly Verb[];
  act(verb: Verb, where: Pick<Deed, "row" | "opener" | "isAtOnce">): void;
} {
  const house = useHouse();
  const words = useWords();
  const server = useServer(message.server_id);
  const userId = useCopy(({ user }) => user.id);
  return useMemo(() => {
    const subject = server && { message, server, userId };
    return {
      applying: subject ? verbs.filter((verb) => verb.applies(subject)) : [],
      act: (verb, where) => subject && verb.run({ ...subject, house, words, ...where }),
    };
  }, [house, words, message, server, userId]);
}
