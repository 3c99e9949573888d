// Posts a message on behalf of an account or a webhook.
import { onceKnown, type Soon } from "../../server/house/known.ts";
import type { Json } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Place } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { authorOf } from "../accounts/access.ts";
import type { Author } from "../accounts/contract.ts";
import { noteUses } from "../files/access.ts";
import type { Attachment } from "../files/contract.ts";
import { dropPage, toNewMessage, webhookAuthor } from "./access.ts";
import { type Mentions, mentionsIn } from "./addressing.ts";
import { usesOf } from "./attached.ts";
import { messageCreated } from "./contract.ts";
import { appendNonce, bodyHash } from "./nonces.ts";
import { appendMessage, type MessagesTable } from "./store.ts";

/** The author of a message: an account, or a webhook under the name and picture that it chose. */
type Writer = { userId: string } | { webhookId: string; name: string; avatar: string | null };

interface Draft {
  writer: Writer;
  channel: { id: string; server_id: string | null };
  /** The channel's place. */
  place: Place;
  /** The people of a conversation. */
  participants?: readonly string[] | undefined;
  content: string;
  replyTo?: string | null | undefined;
  nonce?: string | null | undefined;
  attachments?: readonly Attachment[];
  /** True if mentions of @everyone and roles count. */
  mayMentionMany: boolean;
}

/** Adds the message to the next commit. Returns it as JSON, the same for everybody. */
export function post(unit: UnitOfWork, draft: Draft): Soon<Json> {
  const { writer, channel, participants, content, mayMentionMany } = draft;
  const meant = mentionsIn(unit, { serverId: channel.server_id, participants, mayMentionMany }, content);
  return onceKnown(meant, (mentions) => {
    const account = "userId" in writer ? authorOf(unit, writer.userId) : undefined;
    return onceKnown(account, (account) => write(unit, draft, mentions, account));
  });
}

function write(unit: UnitOfWork, draft: Draft, mentions: Mentions, account: Author | undefined): Json {
  const { writer, channel, content } = draft;
  const row: MessagesTable = {
    id: newId(),
    channel_id: channel.id,
    server_id: channel.server_id,
    author_id: "userId" in writer ? writer.userId : null,
    webhook_id: "userId" in writer ? null : writer.webhookId,
    author_name: "userId" in writer ? null : writer.name,
    author_avatar: "userId" in writer ? null : writer.avatar,
    content,
    reply_to: draft.replyTo ?? null,
    mention_user_ids: listText(mentions.user_ids),
    mention_role_ids: listText(mentions.role_ids),
    mentions_everyone: mentions.everyone ? 1 : 0,
    attachments: listText(draft.attachments ?? []),
    files_noted: 1,
    nonce: draft.nonce ?? null,
    edited_at: null,
    created_at: Date.now(),
  };
  appendMessage(unit, row);
  if (draft.attachments?.length) noteUses(unit, usesOf([row]));
  keepNonce(unit, draft, row);
  dropPage(unit, channel.id, draft.place);
  // A new message has no reactions, so its author gets the same bytes as the listeners.
  return unit.emit(messageCreated, draft.place, toNewMessage(account ?? webhookAuthor(row), row));
}

/** The list as JSON; most are empty. */
function listText(list: readonly unknown[]): string {
  return list.length === 0 ? "[]" : JSON.stringify(list);
}

function keepNonce(unit: UnitOfWork, draft: Draft, row: MessagesTable): void {
  const { id, author_id, channel_id, nonce, content, reply_to, created_at } = row;
  if (nonce === null || author_id === null) return;
  const attachments = draft.attachments?.map(({ url }) => url);
  const body_hash = bodyHash({ content, reply_to, attachments });
  appendNonce(unit, { author_id, channel_id, nonce, message_id: id, body_hash, created_at });
}
