// Sends the deliveries that are due: a bounded number at once, each tried a bounded number of times.

import { type House, perHouse } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { emitSubscriptionsUpdated } from "./emitting.ts";
import { claim, type DeliveriesTable, deleteDelivery, hasten, postpone, selectDue } from "./queue.ts";
import { deleteSubscription } from "./store.ts";
import { type Done, Sender, start } from "./trying.ts";

const mostAtOnce = 16;
/** Bounds the deliveries of one person under way, so that slow endpoints of theirs do not hold up others. */
const mostAtOnceOfOne = 4;
/** Longer than a try can take: a delivery claimed earlier belongs to a process that died. */
const leaseMs = 30_000;
const mostTries = 5;
/** Pauses after failed tries, longer each time. */
const pausesMs = [10_000, 30_000, 120_000, 600_000];
/** A message older than this is not sent any more. */
const keptMs = 6 * 3600_000;

const senders = perHouse("queue", () => new Sender());

export function stopSending(house: House): void {
  senders(house).closing.abort();
}

/** Aborted when the house closes. */
export function closingOf(house: House): AbortSignal {
  return senders(house).closing.signal;
}

/** Writes the results of the last tries down and starts the next. Returns whether to look again soon. */
export async function sendDue(house: House): Promise<boolean> {
  const sender = senders(house);
  const due = await recordAndClaim(house, sender);
  for (const delivery of due) sender.running.set(delivery.id, delivery);
  await house.read(async (unit) => {
    for (const [messageId, deliveries] of Map.groupBy(due, (each) => each.message_id)) {
      await start(unit, sender, messageId, deliveries);
    }
  });
  return sender.running.size > 0 || sender.done.length > 0;
}

/** No push is put off for longer than it is kept: a later `due_at` was reckoned by a clock that was ahead. */
export async function hastenPutOff(house: House): Promise<boolean> {
  const now = Date.now();
  await house.database.transaction((db) => hasten(db, now + keptMs, now));
  return false;
}

/** One transaction for all of it; none when there is nothing to write. */
async function recordAndClaim(house: House, sender: Sender): Promise<DeliveriesTable[]> {
  // Tries that end while this is written are left for the next time.
  const done = [...sender.done];
  const room = mostAtOnce - sender.running.size;
  const busy = [...sender.running.values()]
    .map((delivery) => delivery.user_id)
    .filter((id) => sender.under(id) >= mostAtOnceOfOne);
  const look = (db: UnitOfWork["db"]) =>
    room > 0 ? selectDue(db, Date.now(), [...new Set(busy)], 4 * mostAtOnce) : Promise.resolve([]);
  if (done.length === 0 && (await look(house.database.read)).length === 0) return [];
  const due = await house.write(async (unit) => {
    for (const each of done) await record(unit, each);
    const candidates = fairly(
      sender,
      (await look(unit.db)).filter(({ id }) => !sender.running.has(id)),
      room,
    );
    await claim(
      unit.db,
      candidates.map(({ id }) => id),
      Date.now() + leaseMs,
    );
    return candidates;
  });
  sender.done = sender.done.filter((each) => !done.includes(each));
  return due;
}

function fairly(sender: Sender, deliveries: readonly DeliveriesTable[], room: number): DeliveriesTable[] {
  const taken = new Map<string, number>();
  const chosen: DeliveriesTable[] = [];
  for (const delivery of deliveries) {
    const count = taken.get(delivery.user_id) ?? sender.under(delivery.user_id);
    if (chosen.length >= room || count >= mostAtOnceOfOne) continue;
    taken.set(delivery.user_id, count + 1);
    chosen.push(delivery);
  }
  return chosen;
}

async function record(unit: UnitOfWork, { delivery, outcome }: Done): Promise<void> {
  const { clock, log } = unit.house;
  if (outcome.kind === "refused") log.warn({ why: outcome.why }, "a push was refused and is dropped");
  if (outcome.kind === "gone") {
    if (await deleteSubscription(unit.db, delivery.subscription_id))
      emitSubscriptionsUpdated(unit, delivery.user_id);
    return;
  }
  if (outcome.kind !== "later") return deleteDelivery(unit.db, delivery.id);
  const tries = delivery.tries + 1;
  const again = Date.now() + Math.max(outcome.afterMs, pausesMs[tries - 1] ?? 0);
  const isNoNews = again > delivery.created_at + keptMs && clock.mayDelete();
  const isLate = tries >= mostTries || isNoNews;
  log.debug({ why: outcome.why, tries, dropped: isLate }, "a push did not get through");
  await (isLate ? deleteDelivery(unit.db, delivery.id) : postpone(unit.db, delivery.id, again));
}
