// The operations on messages: list, post, read, correct and delete.

import type { z } from "zod";
import { invalidField, Refusal } from "../../protocol/errors.ts";
import { holds, permission } from "../../protocol/permissions.ts";
import { type Caller, type Feature, handle, when } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { repeated } from "../../server/house/reply.ts";
import { leave } from "../../server/house/sweeping.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Place } from "../../server/place.ts";
import { conversationShown, findChannel, lastMessages, selectChannelIds } from "../channels/access.ts";
import { channelDeleted } from "../channels/contract.ts";
import { ownUploads, picturesFound, usesNoted } from "../files/access.ts";
import { need } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { dropPage, findMessage, toMessage } from "./access.ts";
import { mentionsIn } from "./addressing.ts";
import type { Message } from "./contract.ts";
import * as contract from "./contract.ts";
import { forgetWords } from "./forgetting.ts";
import { messageMigrations } from "./migrations.ts";
import { firstWithNonce, forgetNonces } from "./nonces.ts";
import { noteFiles } from "./noting-files.ts";
import { readPage } from "./pages.ts";
import { toShared } from "./parts.ts";
import { post } from "./posting.ts";
import { saidAfter } from "./said.ts";
import {
  areFilesNoted,
  countSaid,
  deleteMessages,
  selectLast,
  selectMessage,
  updateMessage,
} from "./store.ts";
import { letGo, messagesOfChannel } from "./sweeping.ts";

export const messages: Feature = {
  name: "messages",
  migrations: messageMigrations,
  events: [contract.messageCreated, contract.messageUpdated, contract.messageDeleted],
  operations: [
    handle(contract.listMessages, async ({ caller, params, query, unit }) => {
      await findChannel(unit, caller.userId, params.channelID);
      return readPage(unit, caller.userId, params.channelID, query);
    }),

    handle(contract.createMessage, ({ caller, params, body, unit }) =>
      create(unit, caller, params.channelID, body),
    ),

    handle(contract.getMessage, async ({ caller, params, unit }) => {
      const { message } = await findMessage(unit, caller.userId, params.messageID);
      return toMessage(unit, caller.userId, message);
    }),

    handle(contract.updateMessage, async ({ caller, params, body, unit }) => {
      const found = await findMessage(unit, caller.userId, params.messageID);
      const { message: before, standing } = found;
      if (before.author_id !== caller.userId) throw authorOnly("change");
      need(standing, "SEND_MESSAGES");
      if (body.content === "" && before.attachments === "[]") {
        throw invalidField("content", "must not be empty");
      }
      return body.content === before.content
        ? toMessage(unit, caller.userId, before)
        : correct(unit, found, body.content);
    }),

    handle(contract.deleteMessage, async ({ caller, params, unit }) => {
      const { message, place, standing } = await findMessage(unit, caller.userId, params.messageID);
      if (message.author_id === null) need(standing, "MANAGE_MESSAGES");
      else if (message.author_id !== caller.userId) throw authorOnly("delete");
      await remove(unit, { id: message.channel_id, place }, [message.id]);
    }),

    handle(contract.bulkDelete, async ({ caller, params, body, unit }) => {
      const { channel, place, standing } = await findChannel(unit, caller.userId, params.channelID);
      need(standing, "MANAGE_MESSAGES");
      await remove(unit, { id: channel.id, place }, [...new Set(body.message_ids)]);
    }),
  ],
  eventHandlers: [
    when(channelDeleted, (unit, place, { id }) => forgetMessages(unit, place, [id])),
    when(serverDeleted, async (unit, place, { id }) =>
      forgetMessages(unit, place, await selectChannelIds(unit.db, id)),
    ),
  ],
  answers: [
    whenAsked(saidAfter, ({ db }, asked) => countSaid(db, asked)),
    whenAsked(lastMessages, (unit, channelIds) => selectLast(unit.db, channelIds)),
    // The channels that show these pictures are not known.
    whenAsked(picturesFound, (unit) => dropPage(unit, "*")),
    whenAsked(usesNoted, (unit) => areFilesNoted(unit.db)),
  ],
  sweeps: [messagesOfChannel],
  jobs: [forgetNonces, forgetWords, noteFiles],
};

/** Gives one's own message other words. */
async function correct(
  unit: UnitOfWork,
  { message: before, place, standing, conversation }: Awaited<ReturnType<typeof findMessage>>,
  content: string,
): Promise<Message> {
  const addressing = {
    serverId: before.server_id,
    participants: conversation?.userIds,
    mayMentionMany: holds(standing, permission.MANAGE_MESSAGES),
  };
  const mentions = await mentionsIn(unit, addressing, content);
  const changes = {
    content,
    mention_user_ids: JSON.stringify(mentions.user_ids),
    mention_role_ids: JSON.stringify(mentions.role_ids),
    mentions_everyone: mentions.everyone ? 1 : 0,
    edited_at: Date.now(),
  };
  await updateMessage(unit.db, before, changes);
  const message = await toMessage(unit, standing.userId, { ...before, ...changes });
  unit.emit(contract.messageUpdated, place, await toShared(unit, message));
  dropPage(unit, before.channel_id, place);
  return message;
}

async function create(
  unit: UnitOfWork,
  caller: Caller,
  channelId: string,
  body: z.output<NonNullable<typeof contract.createMessage.body>>,
): Promise<unknown> {
  const { channel, place, standing, conversation } = await findChannel(unit, caller.userId, channelId);
  need(standing, "SEND_MESSAGES");
  // When a nonce is taken, its unique key rejects the shared commit, and the call runs again here, alone. Only where
  // another check could reject the call first (the original or a file is gone by now) the nonce is looked up right away.
  if (body.nonce && (unit.alone || body.reply_to || body.attachments?.length)) {
    const key = { author_id: caller.userId, channel_id: channel.id, nonce: body.nonce };
    const first = await firstWithNonce(unit, key, body);
    if (first) return repeated(await toMessage(unit, caller.userId, first));
  }
  if (body.reply_to) await checkReply(unit, channel.id, body.reply_to);
  if (conversation?.hiddenFrom.length) {
    // A shared commit only inserts rows, so the first message of a conversation has one of its own.
    if (!unit.alone) return unit.write((alone) => create(alone, caller, channelId, body));
    await unit.ask(conversationShown, conversation);
  }
  return post(unit, {
    writer: caller,
    channel,
    place,
    participants: conversation?.userIds,
    content: body.content,
    replyTo: body.reply_to,
    nonce: body.nonce,
    attachments: body.attachments?.length ? await ownUploads(unit, caller.userId, body.attachments) : [],
    mayMentionMany: holds(standing, permission.MANAGE_MESSAGES),
  });
}

async function checkReply(unit: UnitOfWork, channelId: string, replyTo: string): Promise<void> {
  const original = await selectMessage(unit.db, replyTo);
  if (original?.channel_id !== channelId) throw invalidField("reply_to", "is not a message of this channel");
}

/** Leaves the messages of these channels, which are unreachable by now, to a sweep. */
async function forgetMessages(unit: UnitOfWork, place: Place, channelIds: readonly string[]): Promise<void> {
  await leave(unit, messagesOfChannel, channelIds);
  for (const id of channelIds) dropPage(unit, id, place);
}

async function remove(
  unit: UnitOfWork,
  channel: { id: string; place: Place },
  ids: readonly string[],
): Promise<void> {
  const rows = await deleteMessages(unit.db, channel.id, ids);
  await letGo(unit, channel.id, rows);
  const deleted = new Set(rows.map(({ id }) => id));
  for (const id of ids)
    if (deleted.has(id)) unit.emit(contract.messageDeleted, channel.place, { id, channel_id: channel.id });
  dropPage(unit, channel.id, channel.place);
}

function authorOnly(what: string): Refusal {
  return new Refusal("author_only", `Only its author can ${what} a message.`);
}
