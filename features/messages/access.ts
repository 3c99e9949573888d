// Finds a message through the person asking, and puts messages together for their readers.
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import type { Soon } from "../../server/house/known.ts";
import { question } from "../../server/house/question.ts";
import type { Unit } from "../../server/house/unit.ts";
import { authorOf } from "../accounts/access.ts";
import type { Author } from "../accounts/contract.ts";
import { findChannel, type VisibleChannel } from "../channels/access.ts";
import type { Message, SharedMessage } from "./contract.ts";
import { type MessagesTable, selectMessage } from "./store.ts";

export type { MentionsOf, MessagesTable } from "./store.ts";
export { selectMentions, selectMessage } from "./store.ts";

/** The message, its channel and the caller's standing; 404 unless the caller can see the channel. */
export async function findMessage(
  unit: Unit,
  userId: string,
  messageId: string,
): Promise<VisibleChannel & { message: MessagesTable }> {
  const message = await selectMessage(unit.db, messageId);
  if (!message) throw notFound();
  const visible = await findChannel(unit, userId, message.channel_id);
  // Read again under the lock that finding the channel took: it may have been changed or deleted in between.
  const current = unit.alone ? await selectMessage(unit.db, messageId) : message;
  if (!current) throw notFound();
  return { ...visible, message: current };
}

/** The page that everybody asks for first is kept until something on it changes. */
export function dropPage(unit: Unit, channelId: string): void {
  unit.drop("pages", channelId);
}

type ReactionCount = Message["reactions"][number];

/** By message id: who reacts with what, and whether this person does. */
export const reactionsTo = question<
  [userId: string, messageIds: readonly string[]],
  ReadonlyMap<string, ReactionCount[]>
>("messages.reactionsTo");

/** By message id and emoji, with a blank between: who reacts. Asked where they are few. */
export const reactorsTo = question<[messageIds: readonly string[]], ReadonlyMap<string, ReadonlySet<string>>>(
  "messages.reactorsTo",
);

/** The person's own reactions: message id and emoji, with a blank between. */
export const ownReactionsTo = question<[userId: string, messageIds: readonly string[]], ReadonlySet<string>>(
  "messages.ownReactionsTo",
);

/** These messages are gone, one by one or with their channel: what hangs on them goes too, or is left to a sweep. */
export const messagesGone = question<[messageIds: readonly string[]], void>("messages.messagesGone");

export async function toMessages(
  unit: Unit,
  userId: string,
  rows: readonly MessagesTable[],
): Promise<Message[]> {
  const [reactions] = await unit.ask(
    reactionsTo,
    userId,
    rows.map((row) => row.id),
  );
  const messages: Message[] = [];
  for (const row of rows) {
    messages.push({ ...plain(await writerOf(unit, row), row), reactions: reactions?.get(row.id) ?? [] });
  }
  return messages;
}

export async function toMessage(unit: Unit, userId: string, row: MessagesTable): Promise<Message> {
  const [message] = await toMessages(unit, userId, [row]);
  if (!message) throw notFound();
  return message;
}

/** A message that nobody can have reacted to yet. */
export function toNewMessage(author: Author, row: MessagesTable): SharedMessage & Message {
  return { ...plain(author, row), reactions: [] };
}

/** The same for every listener: counts, but not whose. */
export function toShared(message: Message): SharedMessage {
  return { ...message, reactions: message.reactions.map(({ emoji, count }) => ({ emoji, count })) };
}

function plain(author: Author, row: MessagesTable): Omit<Message, "reactions"> {
  return {
    id: row.id,
    channel_id: row.channel_id,
    server_id: row.server_id,
    author,
    content: row.content,
    reply_to: row.reply_to,
    mentions: {
      user_ids: ids(row.mention_user_ids),
      role_ids: ids(row.mention_role_ids),
      everyone: row.mentions_everyone === 1,
    },
    attachments: row.attachments === "[]" ? [] : JSON.parse(row.attachments),
    nonce: row.nonce,
    edited_at: row.edited_at === null ? null : timeText(row.edited_at),
    created_at: timeText(row.created_at),
  };
}

/** Who wrote a message: an account as it is now, or a webhook as it named itself. */
export function writerOf(unit: Unit, row: MessagesTable): Soon<Author> {
  return row.author_id === null ? webhookAuthor(row) : authorOf(unit, row.author_id);
}

/** A webhook is whoever it said it was when it wrote. */
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
