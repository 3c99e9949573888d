// The names that a message can mention: people and roles as the server resolved them, and the server's channels.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { holds, permission } from "../../../../protocol/permissions.ts";
import { useCopy, useHouse, useOfServer } from "../../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../../../channels/state.ts";
import type { Role } from "../../../roles/contract.ts";
import type { Message } from "../../contract.ts";
import type { Names } from "../../text/calls.ts";
import { inSmall } from "../../text/name-index.ts";
import { namesOfChannels, noNames } from "./channel-names.ts";

export function useNames(
  serverId: string | null,
  { user_ids, role_ids, everyone }: Message["mentions"],
): Names {
  const serverRoles = useOfServer(serverId, (server) => server.roles);
  const channels = useOfServer(serverId, namesOfChannels);
  const usernames = useUsernames(serverId, user_ids);
  return useMemo(() => {
    const people = usernames.split(" ").map((name, i) => [name.toLowerCase(), user_ids[i] ?? ""] as const);
    const roles = serverRoles?.filter((role) => role_ids.includes(role.id)) ?? [];
    return {
      people: new Map(people.filter(([name]) => name !== "")),
      roles: namesOfRoles(roles),
      channels: channels ?? noNames,
      everyone,
    };
  }, [usernames, user_ids, role_ids, everyone, serverRoles, channels]);
}

/**
 * For messages that the server does not have yet: the people known to the page, and roles and @everyone if allowed, so
 * that the text looks as it will when sent.
 */
export function useNamesToCall(channel: OwnChannel | undefined): Names {
  const { members } = useHouse();
  const { permissions: bits = 0, server_id: serverId = null } = channel ?? {};
  const serverRoles = useOfServer(serverId, (server) => server.roles);
  const channels = useOfServer(serverId, namesOfChannels);
  const own = useCopy(({ user }) => user);
  const known = useSyncExternalStore(members.subscribe, () => members.of(serverId));
  return useMemo(() => {
    const people = [own, ...known.map(({ user }) => user)];
    const everyone = holds({ bits }, permission.MANAGE_MESSAGES);
    const roles = everyone ? (serverRoles ?? []).filter((role) => !role.is_default) : [];
    return {
      people: new Map(people.map(({ username, id }) => [username.toLowerCase(), id])),
      roles: namesOfRoles(roles),
      channels: channels ?? noNames,
      everyone,
    };
  }, [own, known, bits, serverRoles, channels]);
}

function namesOfRoles(roles: readonly Role[]): Names["roles"] {
  return new Map(roles.map(({ name, id }) => [inSmall(name), id]));
}

/** Joined into one string, which stays equal while nothing changes; usernames contain no spaces. */
function useUsernames(serverId: string | null, ids: readonly string[]): string {
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
