// Reads a channel page by page; the newest page, which every reader asks for first, is cached as bytes.
import { limits } from "../../protocol/limits.ts";
import type { Db } from "../../server/database/database.ts";
import { pieces, pieceTurn, withoutBrackets } from "../../server/house/pieces.ts";
import { Json, page, pageLength, type Reply } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { madeAt } from "../../server/tokens.ts";
import { toMessages } from "./access.ts";
import { type BytesForReaders, forReaders, nobody } from "./kept-page.ts";
import { type MessagesTable, selectBefore, selectFrom, selectNewest } from "./store.ts";

interface Cursor {
  limit?: number | undefined;
  before?: string | undefined;
  after?: string | undefined;
  around?: string | undefined;
}

export async function readPage(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
  cursor: Cursor,
): Promise<Reply> {
  const limit = pageLength(cursor.limit, limits.page_max, limits.page_default);
  const isNewest = cursor.before === undefined && cursor.after === undefined && cursor.around === undefined;
  if (isNewest && limit === limits.page_default) return newestPage(unit, userId, channelId, limit);
  return shownTo(unit, userId, await select(unit, channelId, limit, cursor));
}

/** Pages older than this, in milliseconds, may be read from a replica that lags by seconds. */
const oldMs = 60_000;

interface Selected {
  rows: MessagesTable[];
  hasMore: boolean;
}

/** Characters serialized before other work gets its turn: a hundred long messages make a megabyte of JSON. */
const charactersAtOnce = 256 * 1024;
/** Estimated characters of a message besides its text and attachments, including reactions. */
const charactersBeside = 2000;

async function shownTo(unit: UnitOfWork, userId: string, { rows, hasMore }: Selected): Promise<Reply> {
  const texts: string[] = [];
  const length = ({ content, attachments }: MessagesTable) =>
    content.length + attachments.length + charactersBeside;
  for (const some of pieces(rows, length, charactersAtOnce)) {
    if (texts.length > 0) await pieceTurn();
    texts.push(withoutBrackets(await toMessages(unit, userId, some)));
  }
  return page(new Json(`[${texts.join(",")}]`), hasMore);
}

interface KeptPage {
  /** Null when the page is too large to cache. */
  bytes: BytesForReaders | null;
  hasMore: boolean;
}

const pagesKept = 200;

async function newestPage(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
  limit: number,
): Promise<Reply> {
  const kept = await unit.house.cache<KeptPage>("pages", pagesKept).get(channelId, async () => {
    const { rows, hasMore } = await select(unit, channelId, limit, {});
    return { bytes: await forReaders(unit, await toMessages(unit, nobody, rows)), hasMore };
  });
  if (kept.bytes) {
    const bytes = kept.bytes.of(unit, userId);
    return page(new Json(bytes instanceof Promise ? await bytes : bytes), kept.hasMore);
  }
  return shownTo(unit, userId, await select(unit, channelId, limit, {}));
}

async function select(
  unit: UnitOfWork,
  channelId: string,
  limit: number,
  { before, after, around }: Cursor,
): Promise<Selected> {
  if (around !== undefined) {
    const older = await selectBefore(unit.db, channelId, around, Math.floor(limit / 2) + 1);
    const shownOlder = older.slice(0, Math.floor(limit / 2));
    const newer = await selectFrom(unit.db, channelId, around, limit - shownOlder.length + 1);
    const shownNewer = newer.slice(0, limit - shownOlder.length);
    const hasMore = older.length > shownOlder.length || newer.length > shownNewer.length;
    return { rows: [...shownOlder.reverse(), ...shownNewer], hasMore };
  }
  if (after !== undefined) {
    const from = await selectFrom(unit.db, channelId, after, limit + 2);
    const newer = from.filter((row) => row.id !== after);
    return { rows: newer.slice(0, limit).reverse(), hasMore: newer.length > limit };
  }
  const rows =
    before === undefined
      ? await selectNewest(unit.db, channelId, limit + 1)
      : await atLeisure(unit, before, (db) => selectBefore(db, channelId, before, limit + 1));
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Reads from a replica where the page ends before an old message: a replica has all of it, as of some seconds ago. */
function atLeisure<T>({ db, house }: UnitOfWork, before: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { replica } = house.database;
  // The clock of this process may be minutes ahead.
  const isOld = replica !== undefined && replica.now() - madeAt(before) > oldMs;
  return isOld ? replica.read(work) : work(db);
}
