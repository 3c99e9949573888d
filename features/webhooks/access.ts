// Finds the webhook of a call by its token, and locks it against deletion.
import { timingSafeEqual } from "node:crypto";
import { notFound } from "../../protocol/errors.ts";
import type { Db } from "../../server/database/database.ts";
import type { Admission } from "../../server/house/feature.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { serverStream } from "../../server/place.ts";
import { tokenHash } from "../../server/tokens.ts";
import { selectWebhook, type WebhooksTable } from "./store.ts";

/** The token of an unknown webhook is compared with this hash, so that both kinds of 404 take the same steps. */
const nobodysHash = tokenHash("");

export interface Admitted {
  webhook: WebhooksTable;
  /** Counts the call as `cost` calls in its webhook's rate. Throws rate_limited (429). */
  countAs(cost: number): Promise<void>;
}

/**
 * Returns the webhook named by a call's path and token, within its rate limit. An unknown webhook and a wrong token get
 * the same 404.
 */
export async function admitCall(call: Admission<{ webhookID: string; token: string }>): Promise<Admitted> {
  const { webhookID, token } = call.params;
  // A webhook's id is in its messages, where every reader sees it. So calls are counted by id and client address, and
  // by id and token: a reader's guesses do not use up the calls of the token's holder.
  await call.take("webhooks", `${webhookID} ${call.clientKey}`);
  await call.take("webhooks", `${webhookID}/${token}`);
  const webhook = await findByToken(call.house.database.read, webhookID, token);
  return { webhook, countAs: async (cost) => call.countAs("webhooks", `${webhookID}/${token}`, cost) };
}

async function findByToken(db: Db, id: string, token: string): Promise<WebhooksTable> {
  const webhook = await selectWebhook(db, id);
  const stored = Buffer.from(webhook?.token_hash ?? nobodysHash);
  const matches = timingSafeEqual(stored, Buffer.from(tokenHash(token)));
  if (!webhook || !matches) throw notFound();
  return webhook;
}

/**
 * Returns the webhook once its server is locked: a change that deletes the webhook, its channel or its server has
 * either committed, or waits for this transaction.
 */
export async function stillThere(unit: UnitOfWork, { id, server_id }: WebhooksTable): Promise<WebhooksTable> {
  await unit.lock(serverStream(server_id));
  const webhook = await selectWebhook(unit.db, id);
  if (!webhook) throw notFound();
  return webhook;
}
