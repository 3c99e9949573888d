// Lists of members for settings, which events keep current while they are shown.
import { useCallback, useEffect } from "react";
import type { Listed } from "../../../client/call.ts";
import { is } from "../../../protocol/event.ts";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { type Fetched, useFetched } from "../../../web/ui/session/fetched.tsx";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { type Pages, usePages } from "../../../web/ui/session/pages.tsx";
import { listMembers } from "../calls.ts";
import type { Member } from "../contract.ts";
import { memberAdded } from "../events.ts";
import { membersAfter } from "../state.ts";
import { isNamed } from "./members-named.ts";

const pageLength = 50;
/** Limit of pages fetched to count the holders of roles; in larger servers no number is shown. */
const mostPages = 10;
const countedAtOnce = 1000;

/** Returns all members page by page, or those with a name that begins with `search`. */
export function useMemberPages(serverId: string, search: string): Pages<Member> {
  const load = useCallback(
    (last: Member | undefined, signal?: AbortSignal) =>
      listMembers(
        {
          params: { id: serverId },
          query: search ? { q: search } : { limit: String(pageLength), ...(last && { after: last.user.id }) },
        },
        signal,
      ),
    [serverId, search],
  );
  const pages = usePages(load, ({ user }) => user.id);
  useEvents(serverId, pages, search);
  return pages;
}

/** Returns the members of a server; of a very large one only the first. */
export function useAllMembers(serverId: string, most = mostPages): Fetched<Listed<Member[]>> {
  const load = useCallback((signal: AbortSignal) => loadAll(serverId, most, signal), [serverId, most]);
  const fetched = useFetched(load);
  useEvents(serverId, fetched);
  return fetched;
}

/** Returns the members that are bots. */
export function useBotMembers(serverId: string): Pick<Fetched<Member[]>, "value" | "error" | "reload"> {
  const { value, error, reload } = useAllMembers(serverId);
  return { value: value?.items.filter(({ user }) => user.bot), error, reload };
}

/**
 * Returns the number of holders by role id; undefined until known, and if the server has more members than this many
 * requests return.
 */
export function useHolders(serverId: string, most = mostPages): ReadonlyMap<string, number> | undefined {
  const fetched = useAllMembers(serverId, most);
  if (!fetched.value || fetched.value.hasMore) return undefined;
  const counts = new Map<string, number>();
  for (const { role_ids } of fetched.value.items)
    for (const id of role_ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

async function loadAll(serverId: string, most: number, signal: AbortSignal): Promise<Listed<Member[]>> {
  const all: Member[] = [];
  for (let i = 0; i < most; i++) {
    const after = all.at(-1)?.user.id;
    const query = { limit: String(countedAtOnce), ...(after !== undefined && { after }) };
    const { items, hasMore } = await listMembers({ params: { id: serverId }, query }, signal);
    all.push(...items);
    if (!hasMore) return { items: all, hasMore };
  }
  return { items: all, hasMore: true };
}

function useEvents(
  serverId: string,
  { change }: Pick<Fetched<Listed<Member[]>>, "change">,
  search = "",
): void {
  const { chat } = useHouse();
  useEffect(
    () =>
      chat.listen((frame) => {
        if (frame.server_id !== serverId) return;
        if (is(frame, memberAdded) && !isNamed(frame.data, search)) return;
        change((list) => ({ ...list, items: listedAfter(list, frame) }));
      }),
    [chat, serverId, search, change],
  );
}

/** Returns the loaded members, in order of id, after a frame. */
export function listedAfter(list: Listed<readonly Member[]>, frame: ServerFrame): Member[] {
  const isBehind = is(frame, memberAdded) && !isWithin(list, frame.data);
  return [...(isBehind ? list.items : membersAfter(list.items, frame))];
}

/** False if the member comes with a further page. */
export function isWithin({ items, hasMore }: Listed<readonly Member[]>, { user }: Member): boolean {
  return !hasMore || user.id <= (items.at(-1)?.user.id ?? "");
}
