// Turns a message with mentions into one delivery for each browser: after its commit, piece by piece.
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lowestId, newId } from "../../server/tokens.ts";
import { selectMembers } from "../members/access.ts";
import { type MentionsOf, selectMentions } from "../messages/access.ts";
import { selectMemberRoles } from "../roles/access.ts";
import {
  areMentionsWaiting,
  deleteMentions,
  moveMentions,
  selectNewMentions,
  selectOldestBegun,
  takeTurn,
} from "./queue.ts";
import { selectSubscriptionIds } from "./store.ts";

/** Messages begun in one piece, because each commit waits for the disk; fewer where they name many people. */
const newMentions = 500;
const namedAtOnce = 200;
/** Members of a server looked at in one piece. */
const pieceLength = 200;

/** One piece: new messages, and a part of the oldest mention of many. Returns whether there may be more. */
export async function fanOut(house: House): Promise<boolean> {
  // Looked at without a transaction first: mostly the queue is empty.
  if (!(await areMentionsWaiting(house.database.read))) return false;
  return house.write(async (unit) => {
    const goesOn = await continueOldest(unit);
    return (await beginNew(unit)) || goesOn;
  });
}

/** Queues deliveries to people mentioned by name; begins a mention of many only if the sender has a turn. */
async function beginNew(unit: UnitOfWork): Promise<boolean> {
  const waiting = await selectNewMentions(unit.db, newMentions);
  // Messages deleted meanwhile are left out.
  const messages = await selectMentions(unit.db, waiting);
  const taken = upToNamed(messages);
  const last = taken.at(-1)?.id ?? "";
  const ids = taken.length === messages.length ? waiting : waiting.filter((id) => id <= last);
  const ofMany = new Set<string>();
  for (const message of taken) {
    if (!mentionsMany(message)) continue;
    const sender = message.author_id ?? message.webhook_id ?? message.id;
    if (await takeTurn(unit.db, sender, message.channel_id, message.created_at)) ofMany.add(message.id);
  }
  await queueDeliveries(
    unit,
    taken.map((message) => [message, named(message)]),
  );
  await moveMentions(unit.db, [...ofMany], lowestId);
  await deleteMentions(
    unit.db,
    ids.filter((id) => !ofMany.has(id)),
  );
  return ids.length < waiting.length || waiting.length === newMentions;
}

/** As many of the first messages as together name so many people. */
function upToNamed(messages: readonly MentionsOf[]): readonly MentionsOf[] {
  let people = 0;
  const end = messages.findIndex((message) => {
    people += named(message).length;
    return people > namedAtOnce;
  });
  return end < 0 ? messages : messages.slice(0, end);
}

async function continueOldest(unit: UnitOfWork): Promise<boolean> {
  const begun = await selectOldestBegun(unit.db);
  if (!begun) return false;
  const [message] = await selectMentions(unit.db, [begun.message_id]);
  const fannedOutTo = message && (await goOn(unit, message, begun.fanned_out_to));
  if (fannedOutTo) await moveMentions(unit.db, [begun.message_id], fannedOutTo);
  else await deleteMentions(unit.db, [begun.message_id]);
  return true;
}

async function goOn(unit: UnitOfWork, message: MentionsOf, fannedOutTo: string): Promise<string | undefined> {
  const members = await selectMembers(unit.db, message.server_id, fannedOutTo, pieceLength);
  const ids = members.map((member) => member.user_id);
  const wanted = roles(message);
  const held = await selectMemberRoles(unit.db, message.server_id, ids);
  const isWanted = (id: string) =>
    message.mentions_everyone === 1 || held.get(id)?.some((role) => wanted.includes(role)) === true;
  const already = named(message);
  await queueDeliveries(unit, [[message, ids.filter((id) => isWanted(id) && !already.includes(id))]]);
  return ids.length === pieceLength ? ids.at(-1) : undefined;
}

/** Queues a delivery for each browser of these people, except the author's own. */
async function queueDeliveries(
  unit: UnitOfWork,
  mentions: readonly [message: MentionsOf, userIds: readonly string[]][],
) {
  const everybody = new Set(mentions.flatMap(([, userIds]) => userIds));
  const subscriptions = Map.groupBy(
    await selectSubscriptionIds(unit.db, [...everybody]),
    (subscription) => subscription.user_id,
  );
  const now = Date.now();
  for (const [message, userIds] of mentions) {
    for (const user_id of userIds) {
      if (user_id === message.author_id) continue;
      for (const { id } of subscriptions.get(user_id) ?? []) {
        unit.append("push_deliveries", {
          id: newId(),
          message_id: message.id,
          user_id,
          subscription_id: id,
          tries: 0,
          due_at: now,
          created_at: now,
        });
      }
    }
  }
}

function mentionsMany(message: MentionsOf): boolean {
  return message.mentions_everyone === 1 || roles(message).length > 0;
}

function named(message: MentionsOf): string[] {
  return JSON.parse(message.mention_user_ids);
}

function roles(message: MentionsOf): string[] {
  return JSON.parse(message.mention_role_ids);
}
