// Finds members whose name begins as somebody types it, and members by their ids.
import { limits } from "../../protocol/limits.ts";
import { nextTurn } from "../../server/house/pieces.ts";
import { pageLength } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type NameWord, searchable, selectNamed, selectNamedAmong } from "../accounts/access.ts";
import { existingServer } from "../servers/access.ts";
import { selectMembers, selectMembersAmong } from "./store.ts";

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

/** How members are asked for: by the beginning of a name, by ids, or page by page. */
interface Wish {
  q?: string | undefined;
  ids?: readonly string[] | undefined;
  after?: string | undefined;
  limit?: number | undefined;
}

/** Returns the members asked for, and whether there are more of them. */
export async function selectAsked(
  unit: UnitOfWork,
  serverId: string,
  { q, ids, after, limit }: Wish,
): Promise<{ rows: MemberRow[]; hasMore: boolean }> {
  if (ids) return { rows: await selectMembersAmong(unit.db, serverId, ids), hasMore: false };
  const length =
    q === undefined
      ? pageLength(limit, limits.members_page_max)
      : pageLength(limit, limits.page_max, limits.members_found_default);
  const rows =
    q === undefined
      ? await selectMembers(unit.db, serverId, after, length + 1)
      : await selectNamedMembers(unit, serverId, q, length + 1);
  return { rows: rows.slice(0, length), hasMore: rows.length > length };
}

/** A server of no more members is walked through; in a larger one the names of the instance are. */
const fewMembers = 1000;
/** Members, or names, looked at before everybody else has their turn. */
const lookedAtOnce = 100;
/**
 * Names that a search looks at. In a server of more than a few members it finds enough of them long before, unless tens of
 * thousands elsewhere on the instance have such names and hardly anybody here has.
 */
const mostNames = 20_000;

/** Returns members of whom the username, the display name or a word of it begins so, at most `most`, in no order. */
async function selectNamedMembers(
  unit: UnitOfWork,
  serverId: string,
  typed: string,
  most: number,
): Promise<MemberRow[]> {
  const beginning = searchable(typed);
  // Nobody's name begins with an accent alone.
  if (beginning === "") return [];
  const found = new Map<string, MemberRow>();
  const { member_count } = await existingServer(unit, serverId);
  const pieces =
    member_count <= fewMembers
      ? amongMembers(unit, serverId, beginning)
      : amongNames(unit, serverId, beginning);
  for await (const piece of pieces) {
    for (const row of piece) found.set(row.user_id, row);
    if (found.size >= most) break;
    await nextTurn();
  }
  return [...found.values()].slice(0, most);
}

async function* amongMembers(
  unit: UnitOfWork,
  serverId: string,
  beginning: string,
): AsyncGenerator<MemberRow[]> {
  for (let last: string | undefined, isOver = false; !isOver; ) {
    const rows = await selectMembers(unit.db, serverId, last, lookedAtOnce);
    const ids = rows.map((row) => row.user_id);
    const named = await selectNamedAmong(unit.db, ids, beginning);
    yield rows.filter((row) => named.has(row.user_id));
    last = ids.at(-1);
    isOver = rows.length < lookedAtOnce;
  }
}

async function* amongNames(
  unit: UnitOfWork,
  serverId: string,
  beginning: string,
): AsyncGenerator<MemberRow[]> {
  let last: NameWord | undefined;
  for (let looked = 0; looked < mostNames; looked += lookedAtOnce) {
    const names = await selectNamed(unit.db, beginning, last, lookedAtOnce);
    const ids = [...new Set(names.map((name) => name.user_id))];
    yield await selectMembersAmong(unit.db, serverId, ids);
    if (names.length < lookedAtOnce) return;
    last = names.at(-1);
  }
}
