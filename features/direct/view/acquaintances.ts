// The people whom the reader can write to, by name: of conversations, of servers as far as they are loaded, and found.
import { useEffect, useMemo, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { sleep } from "../../../web/ui/browser/sleep.ts";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import type { User } from "../../accounts/contract.ts";
import { listMembers } from "../../members/calls.ts";
import { fitting } from "../../messages/view/composer/matching.ts";

/** How long typing rests before the servers are asked, in milliseconds. */
const restMs = 150;
const mostShown = 8;
/** The number of servers that are asked for a name at once. Further ones are asked while few people are found. */
const serversAtOnce = 8;
const mostServers = 5 * serversAtOnce;
/** The rest for each server that was asked, in milliseconds: so the searches leave room in the reader's rate. */
const restForEachMs = 100;
const nobody: readonly User[] = [];

/** Returns those whose name fits, the best match first, without oneself, the blocked, and those who do not `fit`. */
export function useAcquaintances(query: string, fits: (user: User) => boolean): readonly User[] {
  const { members } = useHouse();
  const servers = useCopy((copy) => copy.servers);
  const direct = useCopy((copy) => copy.direct);
  const blocked = useCopy((copy) => copy.blocked);
  const ownId = useCopy(({ user }) => user.id);
  const found = useFound(query);
  return useMemo(() => {
    const byId = new Map<string, User>();
    for (const { recipients } of direct.values()) for (const user of recipients) byId.set(user.id, user);
    for (const { id } of servers) for (const { user } of members.of(id)) byId.set(user.id, user);
    for (const user of found) byId.set(user.id, user);
    byId.delete(ownId);
    const reachable = [...byId.values()].filter((user) => !blocked.includes(user.id) && fits(user));
    return fitting(reachable, query.trim(), (user) => [user.display_name, user.username], mostShown);
  }, [members, servers, direct, blocked, ownId, found, query, fits]);
}

/**
 * Returns the members of the reader's servers whose name begins so. Those found before stay until all servers were
 * asked, as the next letter fits most of them, too. After an error the next letter asks again.
 */
function useFound(query: string): readonly User[] {
  const { chat } = useHouse();
  const [found, setFound] = useState(nobody);
  const restsUntil = useRef(0);
  const wanted = query.trim();
  useEffect(() => {
    if (wanted === "") return;
    const stop = new AbortController();
    void search();
    return () => stop.abort();

    async function search() {
      const servers = chat.state.copy?.servers.slice(0, mostServers) ?? [];
      const byId = new Map<string, User>();
      for (let at = 0; at < servers.length && byId.size < mostShown; at += serversAtOnce) {
        await sleep(Math.max(restMs, restsUntil.current - performance.now()));
        if (stop.signal.aborted) return;
        const some = servers.slice(at, at + serversAtOnce);
        restsUntil.current = performance.now() + some.length * restForEachMs;
        const answers = await Promise.all(some.map(({ id }) => membersNamed(wanted, id, stop.signal)));
        if (stop.signal.aborted) return;
        for (const { user } of answers.flatMap((answer) => answer ?? [])) byId.set(user.id, user);
        setFound((before) => [...before, ...byId.values()]);
        if (answers.includes(undefined)) return;
      }
      setFound([...byId.values()]);
    }
  }, [chat, wanted]);
  return found;
}

/** Returns undefined when the reader's calls are used up for now. Nobody is found in a server that does not answer. */
async function membersNamed(q: string, serverId: string, signal: AbortSignal) {
  try {
    return (await listMembers({ params: { id: serverId }, query: { q } }, signal)).items;
  } catch (error) {
    return error instanceof CallError && error.status === 429 ? undefined : [];
  }
}
