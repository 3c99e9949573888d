// The nonce table: each row belongs to one message of one author in one channel, with a hash of the posted body.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { Refusal } from "../../protocol/errors.ts";
import type { Db } from "../../server/database/database.ts";
import type { Job } from "../../server/house/feature.ts";
import { deletePiece } from "../../server/house/sweeping.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Attachment } from "../files/contract.ts";
import { type MessagesTable, selectMessage } from "./store.ts";

interface NoncesTable {
  author_id: string;
  channel_id: string;
  nonce: string;
  message_id: string;
  /** The hash of the posted body; null in rows that are older than this column. */
  body_hash: string | null;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    message_nonces: NoncesTable;
  }
}

/** How long a nonce is kept, in milliseconds. */
const keptMs = 24 * 3600_000;

const keyColumns = ["author_id", "channel_id", "nonce"] as const;
type NonceKey = Pick<NoncesTable, (typeof keyColumns)[number]>;

/** The body of a post, attachments as URLs. */
interface PostedBody {
  content: string;
  reply_to?: string | null | undefined;
  attachments?: readonly string[] | null | undefined;
}

/** Returns the hash of a posted body; a later correction of the message does not change it. */
export function bodyHash({ content, reply_to, attachments }: PostedBody): string {
  const body = JSON.stringify([content, reply_to ?? null, attachments ?? []]);
  return createHash("sha256").update(body).digest("base64url");
}

/**
 * Returns the message that was posted with this nonce, if there is one. Throws conflict (409) if its body was
 * different, or if it was deleted.
 */
export async function firstWithNonce(
  unit: UnitOfWork,
  key: NonceKey,
  body: PostedBody,
): Promise<MessagesTable | undefined> {
  const used = await selectUsed(unit.db, key, unit.house.clock.mayDelete());
  if (!used) {
    // A transaction of its own frees an expired nonce. A shared commit finds the nonce taken, and its call runs again
    // here, alone.
    if (unit.alone) await freeOld(unit.db, key);
    return undefined;
  }
  const first = await selectMessage(unit.db, used.message_id);
  if (!first) throw new Refusal("conflict", "The message with this nonce was deleted.");
  const isSame = used.body_hash === null ? isAsNow(first, body) : used.body_hash === bodyHash(body);
  if (!isSame) throw new Refusal("conflict", "This nonce was used for another message.");
  return first;
}

/** For rows without a hash: compares the body with the current message; an edited message passes. */
function isAsNow(first: MessagesTable, { content, reply_to, attachments }: PostedBody): boolean {
  const attached = (JSON.parse(first.attachments) as Attachment[]).map(({ url }) => url);
  if (attached.join() !== (attachments ?? []).join()) return false;
  return first.edited_at !== null || (first.content === content && first.reply_to === (reply_to ?? null));
}

/**
 * Adds a nonce to the commit of its message. If the author used it in the channel within the last day, the commit
 * rejects the call.
 */
export function appendNonce(unit: UnitOfWork, { message_id, ...rest }: NoncesTable): void {
  // `message_id` comes first, as it is unique per row: the engine uses it to tell which rows of a commit were rejected.
  // The key columns follow.
  unit.append("message_nonces", { message_id, ...rest }, "skip");
}

/** Returns the row of a nonce used within the last day; of any age while nothing may be deleted. */
function selectUsed(
  db: Db,
  key: NonceKey,
  mayForget: boolean,
): Promise<Pick<NoncesTable, "message_id" | "body_hash"> | undefined> {
  return db
    .selectFrom("message_nonces")
    .select(["message_id", "body_hash"])
    .where((eb) => eb.and(key))
    .$if(mayForget, (query) => query.where("created_at", ">", Date.now() - keptMs))
    .executeTakeFirst();
}

/** Deletes a nonce that is older than a day, so that it can be used again. */
async function freeOld(db: Db, key: NonceKey): Promise<void> {
  await db
    .deleteFrom("message_nonces")
    .where((eb) => eb.and(key))
    .where("created_at", "<=", Date.now() - keptMs)
    .execute();
}

const forgottenAtOnce = 500;

export const forgetNonces: Job = {
  name: "forget old nonces",
  everyMs: 600_000,
  deletesByAge: true,
  async run(house) {
    const old = sql<boolean>`created_at < ${Date.now() - keptMs}`;
    const { read } = house.database;
    const first = await read
      .selectFrom("message_nonces")
      .select("nonce")
      .where(old)
      .limit(1)
      .executeTakeFirst();
    if (!first) return false;
    const piece = { table: "message_nonces", key: keyColumns, where: old, order: ["created_at"] } as const;
    return (await house.write(({ db }) => deletePiece(db, piece, forgottenAtOnce))) === forgottenAtOnce;
  },
};
