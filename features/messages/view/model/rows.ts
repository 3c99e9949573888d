// Builds the rows of a channel from its messages: days, groups of one author, and the line above new messages.
import type { Unsent } from "../../../../client/unsent.ts";
import { isSameDay } from "../../../../web/ui/words/calendar.ts";
import type { Message } from "../../contract.ts";

export type Row =
  /** Stands above the first message of a channel or conversation. */
  | { kind: "beginning"; key: string; isLoose: true; channelId: string }
  | { kind: "day"; key: string; isLoose: true; day: Date }
  /** `hasMore`: further new messages are not loaded. */
  | { kind: "new"; key: string; isLoose: true; count: number; hasMore: boolean; since: Date }
  | MessageRow
  | { kind: "unsent"; key: string; unsent: Unsent; isHead: boolean };

export interface MessageRow {
  kind: "message";
  key: string;
  message: Message;
  isHead: boolean;
  showsTime: boolean;
  isUnread: boolean;
  /** The ids of blocked people's messages that the row counts instead of showing them, with spaces between. */
  folded?: string;
}

/** Messages of one author within this time, in milliseconds, form a group. */
const groupMs = 7 * 60_000;

interface Told {
  /** Newest first, as the server lists them. */
  messages: readonly Message[];
  /** True if there are older ones, which are not loaded. */
  hasOlder?: boolean;
  unsent: readonly Unsent[];
  ownId: string;
  /** The messages that were new when the channel was opened, or that came unseen; undefined: no line is drawn. */
  fresh: { after: string | null; upTo: string } | undefined;
}

export function rowsOf({ messages, hasOlder, unsent, ownId, fresh }: Told): Row[] {
  const rows: Row[] = [];
  const after = fresh?.after ?? "";
  const isFresh = ({ id }: Message) => fresh !== undefined && id > after && id <= fresh.upTo;
  const firstUnread = messages.findLast((each) => isFresh(each) && each.author.id !== ownId);
  // The first of all may be among the older ones.
  const isFirstLoaded = !hasOlder || (messages.at(-1)?.id ?? "") <= after;
  let before: Message | undefined;
  for (const message of messages.toReversed()) {
    const at = new Date(message.created_at);
    const isNewDay = !before || !isSameDay(new Date(before.created_at), at);
    if (isNewDay) rows.push({ kind: "day", key: `day ${at.toDateString()}`, isLoose: true, day: at });
    const isFirst = isFirstLoaded && message === firstUnread;
    if (isFirst) {
      const count = messages.filter((each) => isFresh(each) && each.author.id !== ownId).length;
      const hasMore = fresh !== undefined && (messages[0]?.id ?? "") < fresh.upTo;
      rows.push({ kind: "new", key: "new", isLoose: true, count, hasMore, since: at });
    }
    const isHead = isNewDay || isFirst || !before || !isGrouped(before, message);
    const showsTime = isHead || !before || minuteOf(before) !== minuteOf(message);
    const key = message.author.id === ownId && message.nonce ? message.nonce : message.id;
    const isUnread = firstUnread !== undefined && isFresh(message);
    rows.push({ kind: "message", key, message, isHead, showsTime, isUnread });
    before = message;
  }
  const known = new Set(messages.map(({ nonce }) => nonce));
  let lastBy = before?.author.id;
  let lastAt = before ? Date.parse(before.created_at) : 0;
  for (const each of unsent) {
    if (known.has(each.nonce)) continue;
    const isHead = lastBy !== ownId || each.writtenAt - lastAt > groupMs || each.replyTo !== null;
    rows.push({ kind: "unsent", key: each.nonce, unsent: each, isHead });
    lastBy = ownId;
    lastAt = each.writtenAt;
  }
  return rows;
}

/**
 * Keeps the objects of unchanged rows, so that they are not rendered again. A row that was shown with its author's line
 * keeps that: when older messages of the same author come, or one between is deleted, everything below would move up.
 */
export function withSameRows(before: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((given) => {
    const each = withSameKey(known, given);
    const same = known.get(each.key);
    const wasHead = same !== undefined && "isHead" in same && same.isHead && !isFolded(same);
    const row = each.kind === "message" && wasHead ? { ...each, isHead: true, showsTime: true } : each;
    return same && isSame(same, row) ? same : row;
  });
}

/** Keeps the key of a row that counts messages when older ones of blocked people come before its first. */
function withSameKey(known: ReadonlyMap<string, Row>, row: Row): Row {
  if (row.kind !== "message" || row.folded === undefined) return row;
  const key = row.folded.split(" ").find((id) => isFolded(known.get(id)));
  return key === undefined || key === row.key ? row : { ...row, key };
}

function isFolded(row: Row | undefined): boolean {
  return row?.kind === "message" && row.folded !== undefined;
}

function isSame(one: Row, other: Row): boolean {
  const [fields, others] = [new Map<string, unknown>(Object.entries(one)), Object.entries(other)];
  if (others.length !== fields.size) return false;
  return others.every(([name, value]) => {
    const before = fields.get(name);
    if (value instanceof Date && before instanceof Date) return value.getTime() === before.getTime();
    return value === before;
  });
}

/** True if a message continues what its author said before, so that it needs no author's line of its own. */
export function isGrouped(before: Message, message: Message): boolean {
  const gap = Date.parse(message.created_at) - Date.parse(before.created_at);
  const isSameAuthor = before.author.id === message.author.id && before.author.kind === message.author.kind;
  return isSameAuthor && gap < groupMs && message.reply_to === null;
}

function minuteOf({ created_at }: Message): string {
  return created_at.slice(0, 16);
}
