// The members who hold a role, page by page, which events keep current while they are shown.
import { useCallback, useEffect } from "react";
import type { Listed } from "../../../client/call.ts";
import { is } from "../../../protocol/event.ts";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { type Pages, usePages } from "../../../web/ui/session/pages.tsx";
import { memberUpdated } from "../../roles/events.ts";
import { listMembers } from "../calls.ts";
import type { Member } from "../contract.ts";
import { isWithin, listedAfter } from "./settings-list.ts";

const pageLength = 50;
/** The pause before people are looked up again, in milliseconds; each further one is twice as long, up to the last. */
const [firstPauseMs, lastPauseMs] = [2000, 64_000];

export function useHolderPages(serverId: string, roleId: string): Pages<Member> {
  const { chat, members } = useHouse();
  const load = useCallback(
    (last: Member | undefined, signal?: AbortSignal) => {
      const query = { role_id: roleId, limit: String(pageLength), ...(last && { after: last.user.id }) };
      return listMembers({ params: { id: serverId }, query }, signal);
    },
    [serverId, roleId],
  );
  const pages = usePages(load, ({ user }) => user.id);
  const { change } = pages;
  useEffect(() => {
    /** The ids of people who have gained the role and are not known yet. */
    const missing = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** A look-up may fail. */
    const ask = (pauseMs: number) => {
      clearTimeout(timer);
      if (missing.size === 0 || pauseMs > lastPauseMs) return;
      members.want(serverId, missing);
      timer = setTimeout(() => ask(2 * pauseMs), pauseMs);
    };
    const lookUp = () => {
      for (const id of missing) {
        const member = members.get(serverId, id);
        if (member === undefined) continue;
        missing.delete(id);
        if (member) change((list) => ({ ...list, items: withHolder(list, roleId, member) }));
      }
    };
    const ends = [
      members.subscribe(lookUp),
      chat.listen((frame) => {
        if (frame.server_id !== serverId) return;
        change((list) => ({ ...list, items: holdersAfter(list, roleId, frame) }));
        if (!is(frame, memberUpdated) || !frame.data.role_ids.includes(roleId)) return;
        missing.add(frame.data.user_id);
        lookUp();
        ask(firstPauseMs);
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [chat, members, serverId, roleId, change]);
  return pages;
}

/** Returns the loaded holders, by id, after a frame, but not yet those whom it gives the role. */
export function holdersAfter(list: Listed<readonly Member[]>, roleId: string, frame: ServerFrame): Member[] {
  return listedAfter(list, frame).filter(({ role_ids }) => role_ids.includes(roleId));
}

/** Returns the loaded holders with this member, who is none any more if they do not hold the role. */
export function withHolder(list: Listed<readonly Member[]>, roleId: string, member: Member): Member[] {
  const others = list.items.filter(({ user }) => user.id !== member.user.id);
  if (!member.role_ids.includes(roleId) || !isWithin(list, member)) return others;
  return [...others, member].sort((one, other) => (one.user.id < other.user.id ? -1 : 1));
}
