// Sends due deliveries: a bounded number at once, each with a bounded number of attempts.

import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type Choice, keptMs, mostTries } from "./choosing.ts";
import { emitSubscriptionsUpdated } from "./emitting.ts";
import {
  claim,
  type DeliveriesTable,
  deleteDeliveries,
  deleteOldOthers,
  hasten,
  postpone,
  postponeOthers,
} from "./queue.ts";
import { deleteSubscription } from "./store.ts";
import { type Done, Sender, start } from "./trying.ts";

/** Delays after failed attempts, in milliseconds. */
const pausesMs = [10_000, 30_000, 120_000, 600_000];
/** After a failure, deliveries to the browser that are older than this and untried are dropped. In milliseconds. */
const noNewsMs = 24 * 60 * 60 * 1000;
/** Longer than any attempt, in milliseconds: after that, the process that began it has died. */
const leaseMs = 30_000;

const senders = perHouse("queue", (house) => new Sender(house));

/** Gives running pushes a moment to end, and stores their results, so that none is sent again after a restart. */
export async function stopSending(house: House): Promise<void> {
  const sender = senders(house);
  await sender.stop();
  await recordAndClaim(house, sender, { chosen: [], spent: [] }, Date.now()).catch(() => {});
}

/** Aborted when the server closes. */
export function closingOf(house: House): AbortSignal {
  return senders(house).closing.signal;
}

/** Stores the results of the last attempts and starts the next. Returns whether to run again soon. */
export async function sendDue(house: House): Promise<boolean> {
  const sender = senders(house);
  const at = Date.now();
  const choice: Choice = { chosen: [], spent: [] };
  let due: DeliveriesTable[] = [];
  // Slots taken now may be free by the end, for deliveries that get none yet.
  const isBusy = sender.running.size + sender.done.length > 0;
  try {
    await sender.choose(choice, at);
    due = await recordAndClaim(house, sender, choice, at);
  } finally {
    sender.begin(choice, due);
  }
  try {
    await house.read(async (unit) => {
      for (const [messageId, deliveries] of Map.groupBy(due, (each) => each.message_id))
        await start(unit, sender, messageId, deliveries);
    });
  } finally {
    sender.dropUnsent(due);
  }
  return isBusy || sender.running.size + sender.done.length > 0;
}

/** No push is postponed beyond its lifetime: a later `due_at` was set by a clock that was ahead. */
export async function hastenPutOff(house: House): Promise<boolean> {
  const now = Date.now();
  await house.database.transaction((db) => hasten(db, now + keptMs, now));
  return false;
}

/**
 * Uses one transaction for everything; none if there is nothing to write. Returns the deliveries whose attempt is
 * recorded, and may begin.
 */
async function recordAndClaim(
  house: House,
  sender: Sender,
  { chosen, spent }: Choice,
  at: number,
): Promise<DeliveriesTable[]> {
  // Attempts that end during the write are left for the next time.
  const done = [...sender.done];
  if (done.length + chosen.length + spent.length === 0) return [];
  const due = await house.write(async (unit) => {
    for (const each of done) await record(unit, each);
    for (const { tries } of spent) house.log.debug({ why: "the process ended in a try", tries }, dropped);
    await deleteDeliveries(unit.db, idsOf(spent));
    return claimAll(unit, chosen, at);
  });
  sender.done = sender.done.filter((each) => !done.includes(each));
  return due;
}

/** The delay after the attempt is stored with it, so that it holds even if the process dies. */
async function claimAll(unit: UnitOfWork, chosen: Choice["chosen"], at: number): Promise<DeliveriesTable[]> {
  const byTries = Map.groupBy(chosen, ({ delivery }) => delivery.tries);
  const claimed: DeliveriesTable[] = [];
  for (const [tries, some] of byTries) {
    const until = at + Math.max(leaseMs, pausesMs[tries] ?? pausesMs.at(-1)!);
    claimed.push(...(await claim(unit.db, idsOf(some.map(({ delivery }) => delivery)), at, until)));
  }
  return claimed;
}

const dropped = "a push did not get through and is dropped";
const putOff =
  "a push did not get through: it waits for another try, and with it what else is due to its browser";

function idsOf(deliveries: readonly DeliveriesTable[]): string[] {
  return deliveries.map(({ id }) => id);
}

async function record(unit: UnitOfWork, { delivery, outcome }: Done): Promise<void> {
  const { clock, log } = unit.house;
  if (outcome.kind === "refused") log.warn({ why: outcome.why }, "a push was refused and is dropped");
  if (outcome.kind === "gone") {
    if (await deleteSubscription(unit.db, delivery.subscription_id))
      emitSubscriptionsUpdated(unit, delivery.user_id);
    return;
  }
  if (outcome.kind !== "later") return deleteDeliveries(unit.db, [delivery.id]);
  const { tries } = delivery;
  const now = Date.now();
  const again = now + Math.max(outcome.afterMs, pausesMs[tries - 1] ?? 0);
  const isNoNews = again > delivery.created_at + keptMs && clock.mayDelete();
  const isLate = tries >= mostTries || isNoNews;
  log.debug({ why: outcome.why, tries }, isLate ? dropped : putOff);
  if (clock.mayDelete()) await deleteOldOthers(unit.db, delivery, now, now - noNewsMs);
  await postponeOthers(unit.db, delivery, now, Math.min(again, now + keptMs));
  await (isLate ? deleteDeliveries(unit.db, [delivery.id]) : postpone(unit.db, delivery.id, again));
}
