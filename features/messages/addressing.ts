// Who of a server a text addresses: the addresses found in it, looked up among members and roles.
import { limits } from "../../protocol/limits.ts";
import { standingOf } from "../../server/standing.ts";
import type { Unit } from "../../server/unit.ts";
import { idsOfUsernames } from "../accounts/access.ts";
import { rolesOf } from "../roles/access.ts";
import { type Address, findAddresses, longestRole, nameCandidates } from "./mentions.ts";

export interface Mentions {
  user_ids: string[];
  role_ids: string[];
  everyone: boolean;
}

/** Who addresses others: where, and whether roles and everybody at once. */
export interface Addressing {
  serverId: string;
  mayCallMany: boolean;
}

/** At most 100 people and roles; @everyone and roles count only from authors who may manage messages. */
export async function mentionsIn(unit: Unit, author: Addressing, text: string): Promise<Mentions> {
  const nobody: Mentions = { user_ids: [], role_ids: [], everyone: false };
  if (!text.includes("@")) return nobody;
  const addresses = findAddresses(text);
  if (addresses.length === 0) return nobody;
  const { mayCallMany } = author;
  const roles = (await rolesOf(unit, author.serverId)).filter((role) => !role.is_default);
  const ids = await idsOfUsernames(unit, addresses.flatMap(candidatesOf));
  const users = new Set<string>();
  const called = new Set<string>();
  let everyone = false;
  for (const address of addresses) {
    if (users.size + called.size >= limits.mentions_max) break;
    if (address.kind === "everyone") everyone = mayCallMany;
    else if (address.kind === "user-id") {
      if (await isHere(unit, author.serverId, address.id)) users.add(address.id);
    } else if (address.kind === "role-id") {
      if (mayCallMany && roles.some((role) => role.id === address.id)) called.add(address.id);
    } else {
      const role = longestRole(address.rest, roles);
      const user = await memberNamed(unit, author.serverId, address, ids);
      if (role && role.name.length > (user?.name.length ?? 0)) {
        if (mayCallMany) called.add(role.id);
      } else if (user) users.add(user.id);
    }
  }
  return { user_ids: [...users], role_ids: [...called], everyone };
}

function candidatesOf(address: Address): string[] {
  return address.kind === "name" ? nameCandidates(address.name) : [];
}

async function memberNamed(
  unit: Unit,
  serverId: string,
  address: Address,
  ids: ReadonlyMap<string, string>,
): Promise<{ id: string; name: string } | undefined> {
  for (const name of candidatesOf(address)) {
    const id = ids.get(name);
    if (id !== undefined && (await isHere(unit, serverId, id))) return { id, name };
  }
  return undefined;
}

async function isHere(unit: Unit, serverId: string, userId: string): Promise<boolean> {
  return (await standingOf(unit, serverId, userId)) !== undefined;
}
