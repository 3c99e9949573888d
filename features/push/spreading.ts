// Turns a message that mentions people into one delivery a browser: after its commit, piece by piece.
import type { House } from "../../server/house.ts";
import { newId } from "../../server/tokens.ts";
import type { Unit } from "../../server/unit.ts";
import { selectMembers } from "../members/access.ts";
import { type MessagesTable, selectMessage } from "../messages/access.ts";
import { selectMemberRoles } from "../roles/access.ts";
import { deleteCall, moveCall, selectOldestCall, takeTurn } from "./queue.ts";
import { selectSubscriptionIds } from "./store.ts";

/** Members looked at in one piece. */
const pieceLength = 200;
const beforeAll = "00000000-0000-0000-0000-000000000000";

/** One piece of the oldest call. Answers whether there may be more. */
export async function spread(house: House): Promise<boolean> {
  // Looked at without a transaction first: mostly there is nothing.
  if (!(await selectOldestCall(house.database.read))) return false;
  return house.write(async (unit) => {
    const call = await selectOldestCall(unit.db);
    if (!call) return false;
    const message = await selectMessage(unit.db, call.message_id);
    const spreadTo =
      message &&
      (call.spread_to === null ? await begin(unit, message) : await goOn(unit, message, call.spread_to));
    if (spreadTo) await moveCall(unit.db, call.message_id, spreadTo);
    else await deleteCall(unit.db, call.message_id);
    return true;
  });
}

/** Who is mentioned by name; many only if their turn has come. Answers where to go on, if so. */
async function begin(unit: Unit, message: MessagesTable): Promise<string | undefined> {
  await deliverTo(unit, message, named(message));
  if (message.mentions_everyone === 0 && roles(message).length === 0) return undefined;
  const sender = message.author_id ?? message.webhook_id ?? message.id;
  return (await takeTurn(unit.db, sender, message.channel_id, message.created_at)) ? beforeAll : undefined;
}

async function goOn(unit: Unit, message: MessagesTable, spreadTo: string): Promise<string | undefined> {
  const members = await selectMembers(unit.db, message.server_id, spreadTo, pieceLength);
  const ids = members.map((member) => member.user_id);
  const wanted = roles(message);
  const held = await selectMemberRoles(unit.db, message.server_id, ids);
  const isCalled = (id: string) =>
    message.mentions_everyone === 1 || held.get(id)?.some((role) => wanted.includes(role)) === true;
  const already = named(message);
  await deliverTo(
    unit,
    message,
    ids.filter((id) => isCalled(id) && !already.includes(id)),
  );
  return ids.length === pieceLength ? ids.at(-1) : undefined;
}

async function deliverTo(unit: Unit, message: MessagesTable, userIds: readonly string[]): Promise<void> {
  const others = userIds.filter((id) => id !== message.author_id);
  const now = Date.now();
  for (const { id, user_id } of await selectSubscriptionIds(unit.db, others)) {
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

function named(message: MessagesTable): string[] {
  return JSON.parse(message.mention_user_ids);
}

function roles(message: MessagesTable): string[] {
  return JSON.parse(message.mention_role_ids);
}
