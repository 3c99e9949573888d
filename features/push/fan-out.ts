// Turns a message into one delivery per browser that may get it: after its commit, in batches.
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lowestId, newId } from "../../server/tokens.ts";
import { selectMembers } from "../members/access.ts";
import { type MessageOrigin, selectOrigins } from "../messages/access.ts";
import { levelsIn } from "../notifications/access.ts";
import { selectMemberRoles } from "../roles/access.ts";
import { isComplete } from "./certain.ts";
import {
  areMessagesWaiting,
  type Begun,
  deleteQueued,
  type QueuedTable,
  selectFull,
  selectNew,
  selectOldestBegun,
  takeTurn,
  updateQueued,
} from "./queue.ts";
import { selectSubscriptionIds } from "./store.ts";
import { wantingAfter } from "./wanting.ts";

/** The most messages started in one batch, as each commit waits for the disk; fewer where they concern many people. */
const newMessages = 500;
const peopleAtOnce = 200;
/** People handled per batch of a message that concerns more. */
const pieceLength = 200;
/** Queue limit per browser: beyond it, messages that do not mention the person are dropped. */
const mostWaiting = 500;
/** The limit for messages that do mention the person: nobody reads a thousand notifications. */
const mostMentionsWaiting = 1000;

/** A message as it was posted: edits cause no pushes. */
interface Post extends MessageOrigin {
  named: ReadonlySet<string>;
  roles: readonly string[];
  everyone: boolean;
  /** The first people who may want every message there; one more than fit into a batch. */
  wanting: readonly string[];
}

/** A person to be notified of a message. */
interface Reached {
  messageId: string;
  userId: string;
  isMention: boolean;
}

/** Runs one batch: new messages, and a part of the oldest one that concerns many. Returns whether there may be more. */
export async function fanOut(house: House): Promise<boolean> {
  // Checked without a transaction first: the queue is mostly empty.
  if (!(await areMessagesWaiting(house.database.read))) return false;
  return house.write(async (unit) => {
    // Messages queued in doubt wait until it is known whom they may concern.
    if (!(await isComplete(house, unit.db))) return false;
    const goesOn = await continueOldest(unit);
    return (await beginNew(unit)) || goesOn;
  });
}

/** Queues deliveries to the people named in new messages, and to the others if these are few. */
async function beginNew(unit: UnitOfWork): Promise<boolean> {
  const waiting = await selectNew(unit.db, newMessages);
  // Deleted messages are left out.
  const posts = await postsOf(unit, waiting);
  const taken = upToPeople(posts);
  const last = taken.at(-1)?.id ?? "";
  const looked = taken.length === posts.length ? waiting : waiting.filter((row) => row.message_id <= last);
  const done = new Set(looked.map((row) => row.message_id));
  const reached: Reached[] = [];
  for (const post of taken) {
    const reachesMany = mentionsMany(post) && (await hasTurn(unit, post));
    const goesOn = reachesMany || post.wanting.length > pieceLength;
    const ids = new Set([...post.named, ...(goesOn ? [] : post.wanting)]);
    reached.push(...(await reach(unit, post, [...ids], false)));
    if (!goesOn) continue;
    done.delete(post.id);
    await updateQueued(unit.db, post.id, { fanned_out_to: lowestId, reaches_many: reachesMany ? 1 : 0 });
  }
  await queueDeliveries(unit, reached);
  await deleteQueued(unit.db, [...done]);
  return looked.length < waiting.length || waiting.length === newMessages;
}

async function postsOf(unit: UnitOfWork, rows: readonly QueuedTable[]): Promise<Post[]> {
  const queued = new Map(rows.map((row) => [row.message_id, row]));
  const origins = await selectOrigins(unit.db, [...queued.keys()]);
  return origins.flatMap((origin) => {
    const row = queued.get(origin.id);
    if (!row) return [];
    return {
      ...origin,
      named: new Set<string>(JSON.parse(row.mention_user_ids)),
      roles: JSON.parse(row.mention_role_ids),
      everyone: row.mentions_everyone === 1,
      wanting: wantingAfter(unit.house, origin, lowestId, pieceLength + 1),
    };
  });
}

/** Returns the first messages, as many as together concern at most `peopleAtOnce` people, but at least one. */
function upToPeople(posts: readonly Post[]): readonly Post[] {
  let people = 0;
  const end = posts.findIndex(({ named, wanting }) => {
    people += named.size + wanting.length;
    return people > peopleAtOnce;
  });
  return end < 0 ? posts : posts.slice(0, Math.max(1, end));
}

function mentionsMany({ everyone, roles }: Post): boolean {
  return everyone || roles.length > 0;
}

function hasTurn(unit: UnitOfWork, { id, author_id, webhook_id, channel_id, created_at }: Post) {
  return takeTurn(unit.db, author_id ?? webhook_id ?? id, channel_id, created_at);
}

async function continueOldest(unit: UnitOfWork): Promise<boolean> {
  const begun = await selectOldestBegun(unit.db);
  if (!begun) return false;
  const [post] = await postsOf(unit, [begun]);
  const fanned_out_to = post && (await goOn(unit, post, begun));
  if (fanned_out_to) await updateQueued(unit.db, begun.message_id, { fanned_out_to });
  else await deleteQueued(unit.db, [begun.message_id]);
  return true;
}

/** Goes through the members if the message reaches many, otherwise through those who want every message. */
async function goOn(
  unit: UnitOfWork,
  post: Post,
  { fanned_out_to, reaches_many }: Begun,
): Promise<string | undefined> {
  const reachesMany = reaches_many === 1;
  const { server_id } = post;
  const ids =
    reachesMany && server_id !== null
      ? (await selectMembers(unit.db, server_id, fanned_out_to, pieceLength)).map((row) => row.user_id)
      : wantingAfter(unit.house, post, fanned_out_to, pieceLength);
  const unnamed = ids.filter((id) => !post.named.has(id));
  await queueDeliveries(unit, await reach(unit, post, unnamed, reachesMany));
  return ids.length === pieceLength ? ids.at(-1) : undefined;
}

/** Returns those to be notified: by a mention that counts, or because they want every message. */
async function reach(
  unit: UnitOfWork,
  post: Post,
  userIds: readonly string[],
  reachesMany: boolean,
): Promise<Reached[]> {
  const ids = userIds.filter((id) => id !== post.author_id);
  const mentioned = await mentionedAmong(unit, post, ids);
  const counts = reachesMany ? mentioned : post.named;
  const levels = await levelsIn(
    unit.db,
    post,
    ids.filter((id) => !counts.has(id)),
  );
  return ids
    .filter((id) => counts.has(id) || levels.get(id) === "all")
    .map((userId) => ({ messageId: post.id, userId, isMention: mentioned.has(userId) }));
}

async function mentionedAmong(
  unit: UnitOfWork,
  { named, roles, everyone, server_id }: Post,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (everyone) return new Set(ids);
  if (server_id === null || roles.length === 0) return new Set(ids.filter((id) => named.has(id)));
  const held = await selectMemberRoles(unit.db, server_id, ids);
  return new Set(ids.filter((id) => named.has(id) || held.get(id)?.some((role) => roles.includes(role))));
}

/** Queues a delivery for each browser of these people. */
export async function queueDeliveries(unit: UnitOfWork, reached: readonly Reached[]) {
  const userIds = new Set(reached.map(({ userId }) => userId));
  const subscriptions = await selectSubscriptionIds(unit.db, [...userIds]);
  const byUser = Map.groupBy(subscriptions, (subscription) => subscription.user_id);
  const waiting = await selectFull(
    unit.db,
    subscriptions.map(({ id }) => id),
    mostWaiting,
  );
  const now = Date.now();
  for (const { messageId, userId, isMention } of reached) {
    for (const { id } of byUser.get(userId) ?? []) {
      if ((waiting.get(id) ?? 0) >= (isMention ? mostMentionsWaiting : mostWaiting)) continue;
      unit.append("push_deliveries", {
        id: newId(),
        message_id: messageId,
        user_id: userId,
        subscription_id: id,
        is_mention: isMention ? 1 : 0,
        tries: 0,
        due_at: now,
        created_at: now,
      });
    }
  }
}
