// Operations on webhooks, and the posts of webhooks.
import { timeText } from "../../protocol/clock.ts";
import { full, notFound, type Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle, handleAdmitted, when } from "../../server/house/feature.ts";
import { Reply } from "../../server/house/reply.ts";
import { newId, newToken, tokenHash } from "../../server/tokens.ts";
import { findServerChannel, placeOfChannel } from "../channels/access.ts";
import { channelDeleted } from "../channels/contract.ts";
import { post } from "../messages/posting.ts";
import { need } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { admitCall, stillThere } from "./access.ts";
import * as contract from "./contract.ts";
import { takeTurn } from "./pace.ts";
import {
  countWebhooks,
  deleteWebhook,
  deleteWebhooksOfChannel,
  deleteWebhooksOfServer,
  insertWebhook,
  selectWebhook,
  selectWebhooks,
  type WebhooksTable,
  webhookMigrations,
} from "./store.ts";

export const webhooks: Feature = {
  name: "webhooks",
  migrations: webhookMigrations,
  operations: [
    handle(contract.createWebhook, async ({ caller, params, body, unit, request }) => {
      const { channel, standing } = await findServerChannel(unit, caller.userId, params.channelID);
      need(standing, "MANAGE_CHANNELS");
      if ((await selectWebhooks(unit.db, channel.id)).length >= limits.webhooks_per_channel_max) {
        throw tooMany("channel", limits.webhooks_per_channel_max);
      }
      if ((await countWebhooks(unit.db, channel.server_id)) >= limits.webhooks_per_server_max) {
        throw tooMany("server", limits.webhooks_per_server_max);
      }
      const token = newToken("hw_");
      const row: WebhooksTable = {
        id: newId(),
        channel_id: channel.id,
        server_id: channel.server_id,
        name: body.name,
        token_hash: tokenHash(token),
        created_at: Date.now(),
      };
      await insertWebhook(unit.db, row);
      return { ...toWebhook(row), token, url: `${request.publicUrl}/webhooks/${row.id}/${token}` };
    }),

    handle(contract.listWebhooks, async ({ caller, params, unit }) => {
      const { channel, standing } = await findServerChannel(unit, caller.userId, params.channelID);
      need(standing, "MANAGE_CHANNELS");
      return (await selectWebhooks(unit.db, channel.id)).map(toWebhook);
    }),

    handle(contract.deleteWebhook, async ({ caller, params, unit }) => {
      const row = await selectWebhook(unit.db, params.webhookID);
      if (!row) throw notFound();
      const { standing } = await findServerChannel(unit, caller.userId, row.channel_id);
      need(standing, "MANAGE_CHANNELS");
      // Another person may have deleted the webhook while this call waited for the lock.
      if (!(await deleteWebhook(unit.db, row.id))) throw notFound();
    }),

    handleAdmitted(contract.executeWebhook, admitCall, async ({ query, body, unit }, admitted) => {
      await takeTurn(unit.house, admitted, body);
      const message = await unit.write(async (inside) => {
        const webhook = await stillThere(inside, admitted.webhook);
        const place = await placeOfChannel(inside, webhook.channel_id);
        if (!place) throw notFound();
        return post(inside, {
          writer: {
            webhookId: webhook.id,
            name: body.username ?? webhook.name,
            avatar: body.avatar_url ?? null,
          },
          channel: { id: webhook.channel_id, server_id: webhook.server_id },
          place,
          content: body.content,
          mayMentionMany: false,
        });
      });
      return query.wait === "true" ? new Reply(message, 200, {}) : new Reply(undefined, 204, {});
    }),
  ],
  // A webhook is deleted in the same transaction as its channel.
  eventHandlers: [
    when(channelDeleted, (unit, _, { id }) => deleteWebhooksOfChannel(unit.db, id)),
    when(serverDeleted, (unit, _, { id }) => deleteWebhooksOfServer(unit.db, id)),
  ],
};

function tooMany(where: string, most: number): Refusal {
  return full(`A ${where} can have`, most, "webhooks");
}

function toWebhook(row: WebhooksTable): contract.Webhook {
  return {
    id: row.id,
    channel_id: row.channel_id,
    name: row.name,
    created_at: timeText(row.created_at),
  };
}
