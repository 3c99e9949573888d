// What a webhook's address opens: the webhook for whoever holds its token, and its place in the order of commits.
import { timingSafeEqual } from "node:crypto";
import { notFound } from "../../protocol/errors.ts";
import { tokenHash } from "../../server/tokens.ts";
import type { Unit } from "../../server/unit.ts";
import { selectWebhook, type WebhooksTable } from "./store.ts";

/** What an unknown webhook's token is compared with: both kinds of miss take the same steps. */
const nobodysHash = tokenHash("");

/** 404, the same one, for an unknown webhook and for a wrong token. */
export async function findByToken(unit: Unit, id: string, token: string): Promise<WebhooksTable> {
  const webhook = await selectWebhook(unit.db, id);
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
