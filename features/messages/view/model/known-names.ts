// The names that a message can mention: people and roles as the server resolved them, and the server's channels.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { holds, permission } from "../../../../protocol/permissions.ts";
import { useCopy, useHouse, useOfServer } from "../../../../web/ui/session/house.tsx";
import type { User } from "../../../accounts/contract.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import type { Role } from "../../../roles/contract.ts";
import type { Message } from "../../contract.ts";
import type { Names } from "../../text/calls.ts";
import { inSmall } from "../../text/name-index.ts";
import { namesOfChannels, noNames } from "./channel-names.ts";

const nobody: readonly User[] = [];

export function useNames(message: Pick<Message, "server_id" | "channel_id" | "mentions">): Names {
  const { server_id: serverId, mentions } = message;
  const { user_ids, role_ids, everyone } = mentions;
  const serverRoles = useOfServer(serverId, (server) => server.roles);
  const channels = useOfServer(serverId, namesOfChannels);
  const usernames = useUsernames(message);
  return useMemo(() => {
    const people = usernames.split(" ").map((name, i) => {
      // An id in the text is drawn as "@…" until its person is known; the names differ in length to stay apart.
      return [name === "" ? "…".repeat(i + 1) : name.toLowerCase(), user_ids[i] ?? ""] as const;
    });
    const roles = serverRoles?.filter((role) => role_ids.includes(role.id)) ?? [];
    return {
      people: new Map(people.slice(0, user_ids.length)),
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
  const met = channel?.recipients ?? nobody;
  return useMemo(() => {
    const people = [own, ...met, ...known.map(({ user }) => user)];
    const everyone = holds({ bits }, permission.MANAGE_MESSAGES);
    const roles = everyone ? (serverRoles ?? []).filter((role) => !role.is_default) : [];
    return {
      people: new Map(people.map(({ username, id }) => [username.toLowerCase(), id])),
      roles: namesOfRoles(roles),
      channels: channels ?? noNames,
      everyone,
    };
  }, [own, met, known, bits, serverRoles, channels]);
}

function namesOfRoles(roles: readonly Role[]): Names["roles"] {
  return new Map(roles.map(({ name, id }) => [inSmall(name), id]));
}

type Place = Pick<Message, "server_id" | "channel_id">;

/** Joined into one string, which stays equal while nothing changes; usernames contain no spaces. */
function useUsernames(message: Parameters<typeof useNames>[0]): string {
  const { server_id: serverId } = message;
  const { user_ids: ids } = message.mentions;
  const { members } = useHouse();
  const ownId = useCopy(({ user }) => user.id);
  const personOf = usePersonOf(message);
  useEffect(() => {
    const others = ids.filter((id) => id !== ownId);
    if (others.length > 0) members.want(serverId, others);
  }, [members, serverId, ids, ownId]);
  return useSyncExternalStore(members.subscribe, () =>
    ids.map((id) => personOf(id)?.username ?? "").join(" "),
  );
}

/** Returns a function that returns the person with an id, as far as the page knows them. */
export function usePersonOf({ server_id, channel_id }: Place): (id: string) => User | undefined {
  const { members } = useHouse();
  const met = useCopy(({ direct }) => direct.get(channel_id)?.recipients) ?? nobody;
  const own = useCopy(({ user }) => user);
  return (id) => [own, ...met].find((each) => each.id === id) ?? members.get(server_id, id)?.user;
}
