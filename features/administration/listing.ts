// Lists for the operator: people and servers in order of id, or only those whose name contains a text.
import { timeText } from "../../protocol/clock.ts";
import { pieceTurn } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { fold, type ListedPerson, searchable, selectPeople } from "../accounts/access.ts";
import { selectServersAfter } from "../servers/access.ts";
import { lastSeenOf } from "../sessions/access.ts";
import type { Account } from "./contract.ts";

interface Span {
  after?: string | undefined;
  most: number;
}

/** Rows scanned in one turn. */
const lookedAtOnce = 100;

type Select<Row> = (after: string | undefined, limit: number) => Promise<Row[]>;

/**
 * Returns at most `most` people of the list after `after`. With `part`, only those whose username or display name
 * contains it, or whose e-mail address fits it. A `part` of nothing but accents matches nobody.
 */
export async function peopleIn(
  { db }: UnitOfWork,
  part: string,
  span: Span,
  fits: (address: string, part: string) => boolean = isWhole,
): Promise<ListedPerson[]> {
  const select: Select<ListedPerson> = (after, limit) => selectPeople(db, after, limit);
  if (part.trim() === "") return select(span.after, span.most);
  const wanted = searchable(part);
  if (wanted === "") return [];
  const address = fold(part.trim());
  return firstFitting(select, span, ({ username, display_name, email }) => {
    if (searchable(username).includes(wanted) || searchable(display_name).includes(wanted)) return true;
    return email !== null && (fits(fold(email), address) || fits(email.toLowerCase(), address));
  });
}

function isWhole(address: string, part: string): boolean {
  return address === part;
}

export async function serversIn({ db }: UnitOfWork, part: string, span: Span) {
  const select = (after: string | undefined, limit: number) => selectServersAfter(db, after, limit);
  if (part.trim() === "") return select(span.after, span.most);
  const wanted = searchable(part);
  if (wanted === "") return [];
  return firstFitting(select, span, ({ name }) => searchable(name).includes(wanted));
}

/** Scans the list in pieces, however long it is, until enough rows fit. */
async function firstFitting<Row extends { id: string }>(
  select: Select<Row>,
  { after, most }: Span,
  fits: (row: Row) => boolean,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let last = after; ; await pieceTurn()) {
    const rows = await select(last, lookedAtOnce);
    for (const row of rows) if (fits(row)) found.push(row);
    if (found.length >= most || rows.length < lookedAtOnce) return found.slice(0, most);
    last = rows.at(-1)?.id;
  }
}

/** Returns people as the instance's admins see them. */
export async function toAccounts(unit: UnitOfWork, people: readonly ListedPerson[]): Promise<Account[]> {
  const seen = await lastSeenOf(
    unit,
    people.map(({ id }) => id),
  );
  return people.map(({ id, username, display_name, instance_role, disabled_at, created_at }) => {
    const seenAt = seen.get(id);
    return {
      id,
      username,
      display_name,
      instance_role,
      disabled: disabled_at !== null,
      created_at: timeText(created_at),
      last_seen_at: seenAt === undefined ? null : timeText(seenAt),
    };
  });
}
