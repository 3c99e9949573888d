// The names that a message may call: of the people and roles whom the server says it calls, and of the server's channels.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useCopy, useHouse, useServer } from "../../../web/ui/house.tsx";
import type { Message } from "../contract.ts";
import type { Names } from "./markdown/calls.ts";

const nobody: Message["mentions"] = { user_ids: [], role_ids: [], everyone: false };

/** Of a message that is not sent yet nobody knows whom it calls. */
export function useNames(serverId: string, called = nobody): Names {
  const { user_ids, role_ids, everyone } = called;
  const server = useServer(serverId);
  const usernames = useUsernames(serverId, user_ids);
  return useMemo(() => {
    const people = usernames.split(" ").map((name, i) => [name.toLowerCase(), user_ids[i] ?? ""] as const);
    const roles = server?.roles.filter((role) => role_ids.includes(role.id)) ?? [];
    const texts = server?.channels.filter(({ type }) => type === "text") ?? [];
    return {
      people: new Map(people.filter(([name]) => name !== "")),
      roles: new Map(roles.map((role) => [role.name.toLowerCase(), role.id])),
      channels: new Map(texts.map((channel) => [channel.name.toLowerCase(), channel.id])),
      everyone,
    };
  }, [usernames, user_ids, role_ids, everyone, server?.roles, server?.channels]);
}

/** In one text, since that stays the same value while nothing changes; usernames hold no spaces. */
function useUsernames(serverId: string, ids: readonly string[]): string {
  const { members } = useHouse();
  const own = useCopy(({ user }) => user);
  useEffect(() => {
    const others = ids.filter((id) => id !== own.id);
    if (others.length > 0) members.want(serverId, others);
  }, [members, serverId, ids, own.id]);
  return useSyncExternalStore(members.subscribe, () =>
    ids
      .map((id) => (id === own.id ? own.username : (members.get(serverId, id)?.user.username ?? "")))
      .join(" "),
  );
}
