// Groups the list of members: those present by role, the others present, and those offline.
import type { OwnServer } from "../../../client/servers.ts";
import type { User } from "../../accounts/contract.ts";
import type { Role } from "../../roles/contract.ts";
import type { Member } from "../contract.ts";
import { colouredRole } from "./members.ts";

export interface Person {
  member: Member;
  status: User["presence"];
  statusText: string;
  /** The colour of the name. */
  colour: string | undefined;
}

export interface Group {
  /** The id of the role, "here" or "offline". */
  key: string;
  /** Undefined for a group without a role. */
  role: Role | undefined;
  count: number;
  people: readonly Person[];
}

/** Groups members; `presences` lists those who are not offline, up to a limit. */
export function groupsOf(
  members: readonly Member[],
  { roles, presences, member_count }: Pick<OwnServer, "roles" | "presences" | "member_count">,
  isWhole: boolean,
): Group[] {
  const here = new Map(presences.map((presence) => [presence.user_id, presence]));
  const byKey = new Map<string, { role: Role | undefined; people: Person[] }>();
  for (const member of members) {
    const role = colouredRole(roles, member.role_ids);
    const presence = here.get(member.user.id);
    const person = {
      member,
      status: presence?.status ?? "offline",
      statusText: presence?.status_text ?? member.user.status_text,
      colour: role?.color,
    };
    const key = presence ? (role?.id ?? "here") : "offline";
    const group = byKey.get(key) ?? { role: presence && role, people: [] };
    group.people.push(person);
    byKey.set(key, group);
  }
  const groups = [...byKey].map(([key, { role, people }]) => ({
    key,
    role,
    // Includes the pages that are not fetched yet.
    count: key === "offline" && !isWhole ? Math.max(member_count - here.size, people.length) : people.length,
    people: key === "offline" && !isWhole ? people : people.sort(byName),
  }));
  return groups.sort((one, other) => rankOf(other) - rankOf(one));
}

function rankOf({ key, role }: Pick<Group, "key" | "role">): number {
  if (role) return role.position;
  return key === "here" ? -1 : -2;
}

const names = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });

function byName(one: Person, other: Person): number {
  return names.compare(one.member.user.display_name, other.member.user.display_name);
}
