// What a nonce stands for: one message of one author in one channel, known again by the body that was posted.
import { createHash } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";
import type { Unit } from "../../server/unit.ts";
import type { Attachment } from "../files/contract.ts";
import { freeOldNonce, type MessagesTable, type NonceKey, selectByNonce, selectMessage } from "./store.ts";

/** What somebody posted, attachments by their addresses. */
export interface PostedBody {
  content: string;
  reply_to?: string | null | undefined;
  attachments?: readonly string[] | null | undefined;
}

/** Stays the same when the message is corrected later. */
export function bodyHash({ content, reply_to, attachments }: PostedBody): string {
  const body = JSON.stringify([content, reply_to ?? null, attachments ?? []]);
  return createHash("sha256").update(body).digest("base64url");
}

/** The message that this nonce made. Throws conflict when something else was posted under it. */
export async function firstWithNonce(
  unit: Unit,
  key: NonceKey,
  body: PostedBody,
): Promise<MessagesTable | undefined> {
  const used = await selectByNonce(unit.db, key, unit.house.clock.mayDelete());
  if (!used) {
    // Where nobody else writes it is made free; the shared commit finds it taken and comes back for that.
    if (unit.alone) await freeOldNonce(unit.db, key);
    return undefined;
  }
  const first = await selectMessage(unit.db, used.message_id);
  if (!first) throw new Refusal("conflict", "The message with this nonce was deleted.");
  const isSame = used.body_hash === null ? isAsNow(first, body) : used.body_hash === bodyHash(body);
  if (!isSame) throw new Refusal("conflict", "This nonce was used for another message.");
  return first;
}

/** For nonces from before bodies were kept: what the message says now, unless it was corrected since. */
function isAsNow(first: MessagesTable, { content, reply_to, attachments }: PostedBody): boolean {
  const attached = (JSON.parse(first.attachments) as Attachment[]).map(({ url }) => url);
  if (attached.join() !== (attachments ?? []).join()) return false;
  return first.edited_at !== null || (first.content === content && first.reply_to === (reply_to ?? null));
}
