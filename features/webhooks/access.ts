// What a webhook's address opens: the webhook for whoever holds its token, and its place in the order of commits.
import { timingSafeEqual } from "node:crypto";
import { notFound } from "../../protocol/errors.ts";
import type { Db } from "../../server/database/database.ts";
import type { Admission } from "../../server/house/feature.ts";
import type { Unit } from "../../server/house/unit.ts";
import { tokenHash } from "../../server/tokens.ts";
import { selectWebhook, type WebhooksTable } from "./store.ts";

/** What an unknown webhook's token is compared with: both kinds of miss take the same steps. */
const nobodysHash = tokenHash("");

/**
 * The webhook that a call's address opens, within its rate. 404, the same one, for an unknown webhook and for a wrong
 * token.
 */
export async function admitCall(
  call: Admission<{ webhookID: string; token: string }>,
): Promise<WebhooksTable> {
  const { webhookID, token } = call.params;
  // Its id is known to all who read it. So that they cannot use up its calls, its token counts for itself.
  call.take("webhooks", `${webhookID} ${call.clientKey}`);
  call.take("webhooks", `${webhookID}/${token}`);
  return findByToken(call.house.database.read, webhookID, token);
}

async function findByToken(db: Db, id: string, token: string): Promise<WebhooksTable> {
  const webhook = await selectWebhook(db, id);
  const stored = Buffer.from(webhook?.token_hash ?? nobodysHash);
  const matches = timingSafeEqual(stored, Buffer.from(tokenHash(token)));
  if (!webhook || !matches) throw notFound();
  return webhook;
}

/**
 * The webhook as it is once nobody else changes its server: whoever ends it, or its channel, or the server, has either
 * done so and been answered, or waits for this unit.
 */
export async function stillThere(unit: Unit, { id, server_id }: WebhooksTable): Promise<WebhooksTable> {
  await unit.lock(server_id);
  const webhook = await selectWebhook(unit.db, id);
  if (!webhook) throw notFound();
  return webhook;
}
