// Finds messages for the person who asks, and assembles them for their readers.
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import type { Soon } from "../../server/house/known.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Place } from "../../server/place.ts";
import { authorOf } from "../accounts/access.ts";
import type { Author } from "../accounts/contract.ts";
import { channelsSeen, findChannel, type VisibleChannel } from "../channels/access.ts";
import type { Attachment } from "../files/contract.ts";
import { attachmentsIn, attachmentsOf } from "./attached.ts";
import { type Message, newParts, type Parts, type SharedMessage } from "./contract.ts";
import { withParts } from "./parts.ts";
import { type MessagesTable, selectMessage, selectMessages } from "./store.ts";

export { type MessagePart, messageParts } from "./parts.ts";
export type { MessageOrigin, MessagesTable } from "./store.ts";
export {
  selectHighest,
  selectMessage,
  selectMessages as selectMessagesById,
  selectOrigins,
  selectWrittenSince,
} from "./store.ts";

/** Returns the message, its channel and the person's standing. Throws 404 unless they can see the channel. */
export async function findMessage(
  unit: UnitOfWork,
  userId: string,
  messageId: string,
): Promise<VisibleChannel & { message: MessagesTable }> {
  const message = await selectMessage(unit.db, messageId);
  if (!message) throw notFound();
  const visible = await findChannel(unit, userId, message.channel_id);
  // The message is read again under the lock that finding the channel took: it may have been changed or deleted in
  // between.
  const current = unit.alone ? await selectMessage(unit.db, messageId) : message;
  if (!current) throw notFound();
  return { ...visible, message: current };
}

/** Drops the cached newest page of a channel, after a change of a message that may be on it; `*` drops all pages. */
export function dropPage(unit: UnitOfWork, channelId: string, place?: Place): void {
  unit.drop("pages", channelId, place);
}

/**
 * Asks features to delete the rows that belong to deleted messages, or to leave them to a sweep. The messages were
 * deleted one by one or with their channel.
 */
export const messagesGone = question<[channelId: string, messageIds: readonly string[]], void>(
  "messages.messagesGone",
);

export async function toMessages(
  unit: UnitOfWork,
  userId: string,
  rows: readonly MessagesTable[],
): Promise<Message[]> {
  const attachments = await attachmentsOf(unit, rows);
  const messages = [];
  for (const row of rows) messages.push(plain(await writerOf(unit, row), row, attachments.get(row.id) ?? []));
  return withParts(unit, userId, messages);
}

/**
 * Returns by id the messages among these that the person may see, as they see them; for lists of messages of several
 * channels.
 */
export async function messagesSeenBy(
  unit: UnitOfWork,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, Message>> {
  const rows = await selectMessages(unit.db, ids);
  const channelIds = new Set(rows.map((row) => row.channel_id));
  const seen = await channelsSeen(unit, userId, [...channelIds]);
  const visible = rows.filter((row) => seen.has(row.channel_id));
  return new Map((await toMessages(unit, userId, visible)).map((message) => [message.id, message]));
}

export async function toMessage(unit: UnitOfWork, userId: string, row: MessagesTable): Promise<Message> {
  const [message] = await toMessages(unit, userId, [row]);
  if (!message) throw notFound();
  return message;
}

/** Returns a message that was just posted, as its author and every listener get it. */
export function toNewMessage(author: Author, row: MessagesTable): SharedMessage & Message {
  return { ...plain(author, row, attachmentsIn(row)), ...newParts };
}

function plain(author: Author, row: MessagesTable, attachments: Attachment[]): Omit<Message, keyof Parts> {
  return {
    id: row.id,
    channel_id: row.channel_id,
    server_id: row.server_id,
    author,
    content: row.content,
    reply_to: row.reply_to,
    mentions: mentionsOf(row),
    attachments,
    nonce: row.nonce,
    edited_at: row.edited_at === null ? null : timeText(row.edited_at),
    created_at: timeText(row.created_at),
  };
}

type MentionColumns = "mention_user_ids" | "mention_role_ids" | "mentions_everyone";

export function mentionsOf(row: Pick<MessagesTable, MentionColumns>): SharedMessage["mentions"] {
  return {
    user_ids: ids(row.mention_user_ids),
    role_ids: ids(row.mention_role_ids),
    everyone: row.mentions_everyone === 1,
  };
}

/** Returns the author of a message: an account as it is now, or a webhook under the name that it used. */
export function writerOf(unit: UnitOfWork, row: MessagesTable): Soon<Author> {
  return row.author_id === null ? webhookAuthor(row) : authorOf(unit, row.author_id);
}

/** Returns the author of a webhook's message: the name and picture that the webhook used when it posted. */
export function webhookAuthor(row: MessagesTable): Author {
  const name = row.author_name ?? "";
  return {
    id: row.webhook_id ?? row.id,
    username: name,
    display_name: name,
    avatar: row.author_avatar,
    kind: "webhook",
  };
}

function ids(json: string): string[] {
  return json === "[]" ? [] : JSON.parse(json);
}
