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
import { membersAfter } from "../state.ts";

const pageLength = 50;

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
  const { change, reload } = pages;
  useEffect(
    () =>
      chat.listen((frame) => {
        if (frame.server_id !== serverId) return;
        const gains = is(frame, memberUpdated) && frame.data.role_ids.includes(roleId);
        const member = gains ? members.get(serverId, frame.data.user_id) : undefined;
        change((list) => {
          if (gains && !member && !has(list.items, frame.data.user_id)) reload();
          return { ...list, items: holdersAfter(list, roleId, frame, member ?? undefined) };
        });
      }),
    [chat, members, serverId, roleId, change, reload],
  );
  return pages;
}

/** Returns the loaded holders after a frame, by id. `gained`: the member whom the frame gives the role, if known. */
export function holdersAfter(
  { items, hasMore }: Listed<readonly Member[]>,
  roleId: string,
  frame: ServerFrame,
  gained: Member | undefined,
): Member[] {
  // Members after the loaded pages come with their own page.
  const isLoaded = gained && (!hasMore || gained.user.id < (items.at(-1)?.user.id ?? ""));
  const known = isLoaded && !has(items, gained.user.id) ? [...items, gained] : items;
  return membersAfter(known, frame)
    .filter((member) => member.role_ids.includes(roleId))
    .sort((one, other) => (one.user.id < other.user.id ? -1 : 1));
}

function has(items: readonly Member[], userId: string): boolean {
  return items.some(({ user }) => user.id === userId);
}
