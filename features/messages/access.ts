// Finds messages for the person who asks, and assembles them for their readers.
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import type { Soon } from "../../server/house/known.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Place } from "../../server/place.ts";
import { authorOf } from "../accounts/access.ts";
import type { Author } from "../accounts/contract.ts";
import { findChannel, type VisibleChannel } from "../channels/access.ts";
import type { Attachment } from "../files/contract.ts";
import { attachmentsIn, attachmentsOf } from "./attached.ts";
import type { Message, SharedMessage } from "./contract.ts";
import { type MessagesTable, selectMessage } from "./store.ts";

export type { MessageOrigin, MessagesTable } from "./store.ts";
export { selectHighest, selectMessage, selectOrigins, selectWrittenSince } from "./store.ts";

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
  unit.drop("pages", channelId, place?.stream);
}

type ReactionCount = Message["reactions"][number];

/** Asks for the reactions of messages, by message id: each emoji, its count, and whether this person is among them. */
export const reactionsTo = question<
  [userId: string, messageIds: readonly string[]],
  ReadonlyMap<string, ReactionCount[]>
>("messages.reactionsTo");

/** Asks for the ids of the people who react, by message id and emoji with a blank between. Asked where they are few. */
export const reactorsTo = question<[messageIds: readonly string[]], ReadonlyMap<string, ReadonlySet<string>>>(
  "messages.reactorsTo",
);

/** Asks for the person's own reactions: message id and emoji, with a blank between. */
export const ownReactionsTo = question<[userId: string, messageIds: readonly string[]], ReadonlySet<string>>(
  "messages.ownReactionsTo",
);

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
  const [reactions] = await unit.ask(
    reactionsTo,
    userId,
    rows.map((row) => row.id),
  );
  const attachments = await attachmentsOf(unit, rows);
  const messages: Message[] = [];
  for (const row of rows) {
    const shown = plain(await writerOf(unit, row), row, attachments.get(row.id) ?? []);
    messages.push({ ...shown, reactions: reactions?.get(row.id) ?? [] });
  }
  return messages;
}

export async function toMessage(unit: UnitOfWork, userId: string, row: MessagesTable): Promise<Message> {
  const [message] = await toMessages(unit, userId, [row]);
  if (!message) throw notFound();
  return message;
}

/** Returns a message that has no reactions yet. */
export function toNewMessage(author: Author, row: MessagesTable): SharedMessage & Message {
  return { ...plain(author, row, attachmentsIn(row)), reactions: [] };
}

/** Returns the message as every listener gets it: with reaction counts, but not whose reactions they are. */
export function toShared(message: Message): SharedMessage {
  return { ...message, reactions: message.reactions.map(({ emoji, count }) => ({ emoji, count })) };
}

function plain(author: Author, row: MessagesTable, attachments: Attachment[]): Omit<Message, "reactions"> {
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
