// Resolves the names mentioned in a text to members and roles of a server.
import { limits } from "../../protocol/limits.ts";
import type { Soon } from "../../server/house/known.ts";
import { postTurn } from "../../server/house/pieces.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { serverStream } from "../../server/place.ts";
import { idsOfUsernames } from "../accounts/access.ts";
import { membersAmong } from "../members/access.ts";
import { rolesOf } from "../roles/access.ts";
import { askedIn, callsIn } from "./mentions.ts";
import { inSmall } from "./text/name-index.ts";

export interface Mentions {
  user_ids: readonly string[];
  role_ids: readonly string[];
  everyone: boolean;
}

/** The parts of an author's context that decide on mentions: the place, and whether roles and @everyone count. */
interface Addressing {
  /** Null in a conversation. */
  serverId: string | null;
  /** The people of a conversation, who alone can be mentioned there. */
  participants?: readonly string[] | undefined;
  mayMentionMany: boolean;
}

/**
 * Returns the people and roles that a text mentions, at most 100 together; @everyone and roles count only from authors
 * who may manage messages.
 */
export function mentionsIn(
  unit: UnitOfWork,
  { serverId, participants = [], mayMentionMany }: Addressing,
  text: string,
): Soon<Mentions> {
  if (!text.includes("@")) return nobody;
  if (serverId === null) return meantAmong(unit, participants, text);
  return whoIsMeant(unit, serverId, text, mayMentionMany);
}

async function meantAmong(
  unit: UnitOfWork,
  participants: readonly string[],
  text: string,
): Promise<Mentions> {
  if (!unit.isWaitedFor && isDear(text)) await postTurn();
  const people = await peopleMeant(
    unit,
    text,
    async (ids) => new Set(participants.filter((id) => ids.includes(id))),
  );
  const calls = callsIn(text, { people, roles: none, channels: none, everyone: false });
  return { ...nobody, user_ids: [...new Set([...calls].map(({ id }) => id))] };
}

const nobody: Mentions = { user_ids: [], role_ids: [], everyone: false };

async function whoIsMeant(
  unit: UnitOfWork,
  serverId: string,
  text: string,
  mayMentionMany: boolean,
): Promise<Mentions> {
  if (!unit.isWaitedFor && isDear(text)) await postTurn();
  const roles = await rolesMeant(unit, serverId);
  const called = { people: new Set<string>(), roles: new Set<string>(), everyone: false };
  const names = {
    people: await peopleMeant(unit, text, (ids) => membersOf(unit, serverId, ids)),
    roles,
    channels: none,
    everyone: true,
  };
  for (const { what, id } of callsIn(text, names)) {
    if (called.people.size + called.roles.size >= limits.mentions_max) break;
    if (what === "person") called.people.add(id);
    else if (what === "role" && mayMentionMany) called.roles.add(id);
    else if (what === "everyone") called.everyone = mayMentionMany;
  }
  return { user_ids: [...called.people], role_ids: [...called.roles], everyone: called.everyone };
}

const none: ReadonlyMap<string, string> = new Map();

/** True if parsing the text should yield to other work first: it is long, or may name many people. */
function isDear(text: string): boolean {
  return text.length > shortText || text.split("@", fewPeople + 2).length > fewPeople + 1;
}

/** Returns all roles but @everyone, by lower-case name; cached until a role changes. */
function rolesMeant(unit: UnitOfWork, serverId: string): Soon<ReadonlyMap<string, string>> {
  return unit.remember(serverStream(serverId), "roles meant", async () => {
    const roles = (await rolesOf(unit, serverId)).filter((role) => !role.is_default);
    // Where two roles share a name, the first one wins: a later entry of the map replaces an earlier one.
    return new Map(roles.reverse().map((role) => [inSmall(role.name), role.id]));
  });
}

/** Returns the people whom a text may mention, by lower-case name; `among` returns those who are members. */
async function peopleMeant(
  unit: UnitOfWork,
  text: string,
  among: (userIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Map<string, string>> {
  const asked = askedIn(text);
  const ids = await idsOfUsernames(unit, asked.names);
  const members = await among([...asked.ids, ...ids.values()]);
  for (const [name, id] of ids) if (!members.has(id)) ids.delete(name);
  if (asked.ids.length === 0) return ids;
  const byName = new Set(ids.values());
  // A person mentioned by id needs a name here, and gets one that cannot occur in a text.
  for (const id of asked.ids) if (members.has(id) && !byName.has(id)) ids.set(`<${id}>`, id);
  return ids;
}

/**
 * The standings of this few people are mostly cached; for more, one query asks the database, and posts that name as
 * many are parsed one per turn of the event loop.
 */
const fewPeople = 8;
/** Most messages are shorter, and any text of this length is parsed in a fraction of a millisecond. */
const shortText = 500;

async function membersOf(
  unit: UnitOfWork,
  serverId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = [...new Set(userIds)];
  if (asked.length === 0) return new Set();
  await unit.lock(serverStream(serverId));
  if (asked.length > fewPeople) return new Set(await membersAmong(unit.db, serverId, asked));
  const members = new Set<string>();
  for (const id of asked) if (await standingOf(unit, serverId, id)) members.add(id);
  return members;
}
