// Looks up the addresses that were found in a text among the members and roles of a server.
import { limits } from "../../protocol/limits.ts";
import type { Soon } from "../../server/house/known.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idsOfUsernames } from "../accounts/access.ts";
import { membersAmong } from "../members/access.ts";
import { rolesOf } from "../roles/access.ts";
import { type Address, findAddresses, nameCandidates } from "./mentions.ts";
import { RoleNames } from "./role-names.ts";

export interface Mentions {
  user_ids: readonly string[];
  role_ids: readonly string[];
  everyone: boolean;
}

/** What counts in an author's text: the server whose members it may address, and whether roles and @everyone count. */
export interface Addressing {
  serverId: string;
  mayMentionMany: boolean;
}

/**
 * Returns the people and roles that a text mentions, at most 100 together; @everyone and roles count only from authors
 * who may manage messages.
 */
export function mentionsIn(unit: UnitOfWork, author: Addressing, text: string): Soon<Mentions> {
  const addresses = text.includes("@") ? findAddresses(text) : [];
  return addresses.length === 0 ? nobody : whoIsMeant(unit, author, addresses);
}

const nobody: Mentions = { user_ids: [], role_ids: [], everyone: false };

async function whoIsMeant(
  unit: UnitOfWork,
  { mayMentionMany, serverId }: Addressing,
  addresses: readonly Address[],
): Promise<Mentions> {
  const roles = await rolesMeant(unit, serverId);
  const ids = await idsOfUsernames(unit, addresses.flatMap(candidatesOf));
  const members = await membersOf(unit, serverId, [
    ...addresses.flatMap((address) => (address.kind === "user-id" ? address.id : [])),
    ...ids.values(),
  ]);
  const users = new Set<string>();
  const mentionedRoles = new Set<string>();
  let everyone = false;
  for (const address of addresses) {
    if (users.size + mentionedRoles.size >= limits.mentions_max) break;
    if (address.kind === "everyone") everyone = mayMentionMany;
    else if (address.kind === "user-id") {
      if (members.has(address.id)) users.add(address.id);
    } else if (address.kind === "role-id") {
      if (mayMentionMany && roles.ids.has(address.id)) mentionedRoles.add(address.id);
    } else {
      const role = roles.names.longest(address.rest);
      const user = memberNamed(address, ids, members);
      if (role && role.name.length > (user?.name.length ?? 0)) {
        if (mayMentionMany) mentionedRoles.add(role.id);
      } else if (user) users.add(user.id);
    }
  }
  return { user_ids: [...users], role_ids: [...mentionedRoles], everyone };
}

/** Returns all roles but @everyone, by id and by name; sorted once, and cached until a role changes. */
function rolesMeant(unit: UnitOfWork, serverId: string) {
  return unit.remember(serverId, "roles meant", async () => {
    const roles = (await rolesOf(unit, serverId)).filter((role) => !role.is_default);
    return { ids: new Set(roles.map((role) => role.id)), names: new RoleNames(roles) };
  });
}

function candidatesOf(address: Address): string[] {
  return address.kind === "name" ? nameCandidates(address.name) : [];
}

function memberNamed(
  address: Address,
  ids: ReadonlyMap<string, string>,
  members: ReadonlySet<string>,
): { id: string; name: string } | undefined {
  for (const name of candidatesOf(address)) {
    const id = ids.get(name);
    if (id !== undefined && members.has(id)) return { id, name };
  }
  return undefined;
}

/** The standings of a few people are mostly cached; for more people one query asks the database. */
const fewPeople = 8;

async function membersOf(
  unit: UnitOfWork,
  serverId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = [...new Set(userIds)];
  if (asked.length === 0) return new Set();
  await unit.lock(serverId);
  if (asked.length > fewPeople) return new Set(await membersAmong(unit.db, serverId, asked));
  const members = new Set<string>();
  for (const id of asked) if (await standingOf(unit, serverId, id)) members.add(id);
  return members;
}
