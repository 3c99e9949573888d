// Nonces: each stands for one message of one author in one channel, known again by the body that was posted; their table.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { Refusal } from "../../protocol/errors.ts";
import type { Db } from "../../server/database/database.ts";
import type { Job } from "../../server/house/feature.ts";
import { deletePiece } from "../../server/house/sweeping.ts";
import type { Unit } from "../../server/house/unit.ts";
import type { Attachment } from "../files/contract.ts";
import { type MessagesTable, selectMessage } from "./store.ts";

interface NoncesTable {
  author_id: string;
  channel_id: string;
  nonce: string;
  message_id: string;
  /** Of what was posted; null in rows from before it was kept. */
  body_hash: string | null;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    message_nonces: NoncesTable;
  }
}

/** For this long a nonce stands for the message that it made. */
const keptMs = 24 * 3600_000;

const keyColumns = ["author_id", "channel_id", "nonce"] as const;
type NonceKey = Pick<NoncesTable, (typeof keyColumns)[number]>;

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
  const used = await selectUsed(unit.db, key, unit.house.clock.mayDelete());
  if (!used) {
    // Where nobody else writes it is made free; the shared commit finds it taken and comes back for that.
    if (unit.alone) await freeOld(unit.db, key);
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

/** Hands a nonce over to the commit of its message; its author may not have used it there in the last day. */
export function appendNonce(unit: Unit, { message_id, ...rest }: NoncesTable): void {
  // First the column that is another in each row: the engine tells by it which of a commit's rows were turned away.
  unit.append("message_nonces", { message_id, ...rest }, "skip");
}

/** What the nonce made within the last day; while nothing may be forgotten, what it ever made. */
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

/** An older one than the last day's is free to be used again. */
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
