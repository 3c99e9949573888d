// Finds members by the typed beginning of a name, by their ids, and by a role that they hold.
import { limits } from "../../protocol/limits.ts";
import { pieceTurn } from "../../server/house/pieces.ts";
import { pageLength } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type NameWord, searchable, selectNamed, selectNamedAmong } from "../accounts/access.ts";
import { findRole, selectHolders } from "../roles/access.ts";
import type { Role } from "../roles/contract.ts";
import { selectMembers, selectMembersAmong } from "./store.ts";

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

/** The query for members: by the beginning of a name, by ids, or page by page, all or those of a role. */
interface Wish {
  q?: string | undefined;
  ids?: readonly string[] | undefined;
  role_id?: string | undefined;
  after?: string | undefined;
  limit?: number | undefined;
}

interface Found {
  rows: MemberRow[];
  /** Also true for a search that stopped at its bound, before it had looked at every name. */
  hasMore: boolean;
}

/** Returns the members asked for. Throws 404 for a role that the server does not have. */
export async function selectAsked(
  unit: UnitOfWork,
  serverId: string,
  { q, ids, role_id, after, limit }: Wish,
): Promise<Found> {
  if (ids) return { rows: await selectMembersAmong(unit.db, serverId, ids), hasMore: false };
  if (q !== undefined) {
    const length = pageLength(limit, limits.page_max, limits.members_found_default);
    return selectNamedMembers(unit, serverId, q, length);
  }
  const length = pageLength(limit, limits.members_page_max);
  const role = role_id === undefined ? undefined : await findRole(unit, serverId, role_id);
  if (role && !role.is_default) return selectHoldingMembers(unit, role, after, length);
  const rows = await selectMembers(unit.db, serverId, after, length + 1);
  return { rows: rows.slice(0, length), hasMore: rows.length > length };
}

/** Returns a page of the members who hold the role, by id. */
async function selectHoldingMembers(
  { db }: UnitOfWork,
  role: Role,
  after: string | undefined,
  length: number,
): Promise<Found> {
  const holders = await selectHolders(db, role.id, after, length + 1);
  const rows = await selectMembersAmong(db, role.server_id, holders.slice(0, length));
  rows.sort((one, other) => (one.user_id < other.user_id ? -1 : 1));
  return { rows, hasMore: holders.length > length };
}

/** Names, or members, looked at per turn, so that other work is not held up. */
const lookedAtOnce = 100;
/** Limit of the names, and of the members, looked at: more would cost many times what a search counts as. */
const mostLookedAt = 8000;

interface Piece {
  rows: MemberRow[];
  /** True in the last piece of a search. */
  isLast: boolean;
}

/**
 * Returns members whose username, display name or a word of it begins with `typed`, at most `most`, in no order. The
 * names of the instance and the members of the server are scanned side by side, to the end of the shorter list:
 * thousands elsewhere may have such a name, and hardly any of thousands here. Both stop at `mostLookedAt`.
 */
async function selectNamedMembers(
  unit: UnitOfWork,
  serverId: string,
  typed: string,
  most: number,
): Promise<Found> {
  const beginning = searchable(typed);
  // No name begins with a mere accent.
  if (beginning === "") return { rows: [], hasMore: false };
  const found = new Map<string, MemberRow>();
  const ways = [amongNames(unit, serverId, beginning), amongMembers(unit, serverId, beginning)];
  let looked = 0;
  let isWhole = false;
  for await (const { rows, isLast } of alternating(ways)) {
    for (const row of rows) found.set(row.user_id, row);
    looked += lookedAtOnce;
    isWhole = isLast;
    if (isLast || found.size > most || looked >= ways.length * mostLookedAt) break;
    await pieceTurn();
  }
  return { rows: [...found.values()].slice(0, most), hasMore: !isWhole || found.size > most };
}

/** Yields a piece of each way in turn. No generator returns: a flag marks its last piece. */
async function* alternating(ways: readonly AsyncGenerator<Piece, never>[]): AsyncGenerator<Piece, never> {
  for (;;) for (const way of ways) yield (await way.next()).value;
}

async function* amongNames(
  unit: UnitOfWork,
  serverId: string,
  beginning: string,
): AsyncGenerator<Piece, never> {
  for (let last: NameWord | undefined; ; ) {
    const names = await selectNamed(unit.db, beginning, last, lookedAtOnce);
    const ids = [...new Set(names.map((name) => name.user_id))];
    yield {
      rows: await selectMembersAmong(unit.db, serverId, ids),
      isLast: names.length < lookedAtOnce,
    };
    last = names.at(-1);
  }
}

async function* amongMembers(
  unit: UnitOfWork,
  serverId: string,
  beginning: string,
): AsyncGenerator<Piece, never> {
  for (let last: string | undefined; ; ) {
    const rows = await selectMembers(unit.db, serverId, last, lookedAtOnce);
    const ids = rows.map((row) => row.user_id);
    const named = await selectNamedAmong(unit.db, ids, beginning);
    yield { rows: rows.filter((row) => named.has(row.user_id)), isLast: rows.length < lookedAtOnce };
    last = ids.at(-1);
  }
}
