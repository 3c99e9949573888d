// The list of members, in its order: those here by role, the others here, and then who is offline.
import type { ServerEntry } from "../../../client/ready.ts";
import type { User } from "../../accounts/contract.ts";
import type { Role } from "../../roles/contract.ts";
import type { Member } from "../contract.ts";
import { colouredRole } from "./members.ts";

export interface Person {
  member: Member;
  status: User["presence"];
  statusText: string;
  /** Their name's colour. */
  colour: string | undefined;
}

export interface Group {
  /** The id of the role, "here" or "offline". */
  key: string;
  /** Undefined: a group that is no role's. */
  role: Role | undefined;
  count: number;
  people: readonly Person[];
}

/** `here` says how everybody is seen who is not offline; a server names at most so many. */
export function groupsOf(
  members: readonly Member[],
  { roles, presences, member_count }: Pick<ServerEntry, "roles" | "presences" | "member_count">,
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
    // Pages that were not fetched yet are counted too.
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
