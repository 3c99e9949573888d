// The members of a server whose name begins with what is typed.
import { useEffect, useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import type { Member } from "../contract.ts";

/** How long typing rests before the server is asked, in milliseconds. */
const restMs = 150;
const mostShown = 8;
/** As many as the server finds: of the first few, none may fit. */
const mostAsked = String(limits.page_max);
const none: readonly Member[] = [];

/** Returns the first of those who fit, and nobody for an empty query. After an error the next letter asks again. */
export function useMembersNamed(
  serverId: string,
  query: string,
  fits: (member: Member) => boolean,
): readonly Member[] {
  const { members } = useHouse();
  const [found, setFound] = useState<{ query: string; members: readonly Member[] }>();
  const wanted = query.trim();
  useEffect(() => {
    if (wanted === "") return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      members.find(serverId, wanted, stop.signal, mostAsked).then(
        (all) => setFound({ query: wanted, members: all }),
        () => {},
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [members, serverId, wanted]);
  if (wanted === "" || !found) return none;
  // Until there is an answer to the letters typed last, those of the one before that fit them, too.
  const named =
    found.query === wanted ? found.members : found.members.filter((each) => isNamed(each, wanted));
  return named.filter(fits).slice(0, mostShown);
}

export function isNamed({ user: { username, display_name } }: Member, query: string): boolean {
  return [username, display_name].some((name) => name.toLowerCase().startsWith(query.toLowerCase()));
}
