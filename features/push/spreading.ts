// Turns a message with mentions into one delivery for each browser: after its commit, piece by piece.
import type { House } from "../../server/house/house.ts";
import type { Unit } from "../../server/house/unit.ts";
import { lowestId, newId } from "../../server/tokens.ts";
import { selectMembers } from "../members/access.ts";
import { type MentionsOf, selectMentions } from "../messages/access.ts";
import { selectMemberRoles } from "../roles/access.ts";
import { deleteCalls, isCalled, moveCalls, selectNewCalls, selectOldestBegun, takeTurn } from "./queue.ts";
import { selectSubscriptionIds } from "./store.ts";

/** Messages begun in one piece, because each commit waits for the disk; fewer where they name many people. */
const newCalls = 500;
const namedAtOnce = 200;
/** Members of a server looked at in one piece. */
const pieceLength = 200;

/** One piece: new messages, and a part of the oldest call to many. Returns whether there may be more. */
export async function spread(house: House): Promise<boolean> {
  // Looked at without a transaction first: mostly the queue is empty.
  if (!(await isCalled(house.database.read))) return false;
  return house.write(async (unit) => {
    const goesOn = await continueOldest(unit);
    return (await beginNew(unit)) || goesOn;
  });
}

/** Delivers to people mentioned by name; begins a call to many only if the sender has a turn. */
async function beginNew(unit: Unit): Promise<boolean> {
  const waiting = await selectNewCalls(unit.db, newCalls);
  // Messages deleted meanwhile are left out.
  const messages = await selectMentions(unit.db, waiting);
  const calls = upToNamed(messages);
  const last = calls.at(-1)?.id ?? "";
  const ids = calls.length === messages.length ? waiting : waiting.filter((id) => id <= last);
  const toMany = new Set<string>();
  for (const call of calls) {
    if (!callsMany(call)) continue;
    const sender = call.author_id ?? call.webhook_id ?? call.id;
    if (await takeTurn(unit.db, sender, call.channel_id, call.created_at)) toMany.add(call.id);
  }
  await deliver(
    unit,
    calls.map((call) => [call, named(call)]),
  );
  await moveCalls(unit.db, [...toMany], lowestId);
  await deleteCalls(
    unit.db,
    ids.filter((id) => !toMany.has(id)),
  );
  return ids.length < waiting.length || waiting.length === newCalls;
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

async function continueOldest(unit: Unit): Promise<boolean> {
  const call = await selectOldestBegun(unit.db);
  if (!call) return false;
  const [message] = await selectMentions(unit.db, [call.message_id]);
  const spreadTo = message && (await goOn(unit, message, call.spread_to));
  if (spreadTo) await moveCalls(unit.db, [call.message_id], spreadTo);
  else await deleteCalls(unit.db, [call.message_id]);
  return true;
}

async function goOn(unit: Unit, message: MentionsOf, spreadTo: string): Promise<string | undefined> {
  const members = await selectMembers(unit.db, message.server_id, spreadTo, pieceLength);
  const ids = members.map((member) => member.user_id);
  const wanted = roles(message);
  const held = await selectMemberRoles(unit.db, message.server_id, ids);
  const isWanted = (id: string) =>
    message.mentions_everyone === 1 || held.get(id)?.some((role) => wanted.includes(role)) === true;
  const already = named(message);
  await deliver(unit, [[message, ids.filter((id) => isWanted(id) && !already.includes(id))]]);
  return ids.length === pieceLength ? ids.at(-1) : undefined;
}

/** Queues a delivery for each browser of these people, except the author's own. */
async function deliver(unit: Unit, calls: readonly [call: MentionsOf, userIds: readonly string[]][]) {
  const everybody = new Set(calls.flatMap(([, userIds]) => userIds));
  const subscriptions = Map.groupBy(
    await selectSubscriptionIds(unit.db, [...everybody]),
    (subscription) => subscription.user_id,
  );
  const now = Date.now();
  for (const [call, userIds] of calls) {
    for (const user_id of userIds) {
      if (user_id === call.author_id) continue;
      for (const { id } of subscriptions.get(user_id) ?? []) {
        unit.append("push_deliveries", {
          id: newId(),
          message_id: call.id,
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

function callsMany(message: MentionsOf): boolean {
  return message.mentions_everyone === 1 || roles(message).length > 0;
}

function named(message: MentionsOf): string[] {
  return JSON.parse(message.mention_user_ids);
}

function roles(message: MentionsOf): string[] {
  return JSON.parse(message.mention_role_ids);
}
