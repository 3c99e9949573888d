// Sends what is due: a bounded number at once, each looked at again right before, each tried a bounded number of times.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house.ts";
import type { Unit } from "../../server/unit.ts";
import { selectMessage } from "../messages/access.ts";
import type { Pushed } from "./contract.ts";
import { hearersOf, noticeOf } from "./hearers.ts";
import { network } from "./network.ts";
import { type Outcome, type Parcel, post } from "./post.ts";
import { claim, type DeliveriesTable, deleteDelivery, postpone, selectDue } from "./queue.ts";
import { sealed } from "./sealing.ts";
import { deleteSubscription, type SubscriptionsTable, selectSubscriptions } from "./store.ts";

const mostAtOnce = 16;
/** One person's slow endpoints do not take all the room. */
const mostAtOnceOfOne = 4;
/** Who claimed a delivery and did not come back by then is dead; longer than a try can take. */
const leaseMs = 30_000;
const mostTries = 5;
/** Waiting after a failed try: longer each time. */
const pausesMs = [10_000, 30_000, 120_000, 600_000];
/** A mention older than this is no news. */
const keptMs = 6 * 3600_000;

interface Done {
  delivery: DeliveriesTable;
  outcome: Outcome;
}

class Sender {
  readonly closing = new AbortController();
  /** Deliveries under way. */
  readonly running = new Map<string, DeliveriesTable>();
  /** What came of those that ended since the last look. */
  done: Done[] = [];

  under(userId: string): number {
    let count = 0;
    for (const delivery of this.running.values()) if (delivery.user_id === userId) count++;
    return count;
  }
}

const senders = perHouse(() => new Sender());

export function stopSending(house: House): void {
  senders(house).closing.abort();
}

/** Writes down what came of the last tries and starts the next. Answers whether to look again soon. */
export async function sendDue(house: House): Promise<boolean> {
  const sender = senders(house);
  const due = await settleAndClaim(house, sender);
  for (const delivery of due) sender.running.set(delivery.id, delivery);
  await house.read(async (unit) => {
    for (const [messageId, deliveries] of Map.groupBy(due, (each) => each.message_id)) {
      await start(unit, sender, messageId, deliveries);
    }
  });
  return sender.running.size > 0 || sender.done.length > 0;
}

/** One transaction for all of it; none when there is nothing to write. */
async function settleAndClaim(house: House, sender: Sender): Promise<DeliveriesTable[]> {
  // Others end while this is being written down; they are for the next look.
  const done = [...sender.done];
  const room = mostAtOnce - sender.running.size;
  const busy = [...sender.running.values()]
    .map((delivery) => delivery.user_id)
    .filter((id) => sender.under(id) >= mostAtOnceOfOne);
  const look = (db: Unit["db"]) =>
    room > 0 ? selectDue(db, Date.now(), [...new Set(busy)], 4 * mostAtOnce) : Promise.resolve([]);
  if (done.length === 0 && (await look(house.database.read)).length === 0) return [];
  const due = await house.write(async (unit) => {
    for (const each of done) await settle(unit, each);
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

async function settle(unit: Unit, { delivery, outcome }: Done): Promise<void> {
  const { log } = unit.house;
  if (outcome.kind === "refused") log.warn({ why: outcome.why }, "a push was refused and is dropped");
  if (outcome.kind === "gone") return deleteSubscription(unit.db, delivery.subscription_id);
  if (outcome.kind !== "later") return deleteDelivery(unit.db, delivery.id);
  const tries = delivery.tries + 1;
  const again = Date.now() + Math.max(outcome.afterMs, pausesMs[tries - 1] ?? 0);
  const isLate = tries >= mostTries || again > delivery.created_at + keptMs;
  log.debug({ why: outcome.why, tries, dropped: isLate }, "a push did not get through");
  await (isLate ? deleteDelivery(unit.db, delivery.id) : postpone(unit.db, delivery.id, again));
}

/** Looks once more whether each may and wants to hear of it, and sends it to those. */
async function start(
  unit: Unit,
  sender: Sender,
  messageId: string,
  deliveries: readonly DeliveriesTable[],
): Promise<void> {
  const end = (delivery: DeliveriesTable, outcome: Outcome) => {
    sender.running.delete(delivery.id);
    sender.done.push({ delivery, outcome });
  };
  try {
    const message = await selectMessage(unit.db, messageId);
    const hearers =
      message && (await hearersOf(unit, message, [...new Set(deliveries.map((d) => d.user_id))]));
    const [reader] = hearers ?? [];
    const notice = message && reader ? await noticeOf(unit, message, reader) : undefined;
    const subscriptions = await selectSubscriptions(
      unit.db,
      deliveries.map((each) => each.subscription_id),
    );
    for (const delivery of deliveries) {
      const to = subscriptions.get(delivery.subscription_id);
      const isTheirs = to?.user_id === delivery.user_id && hearers?.has(delivery.user_id);
      // Nothing is owed any more: as good as sent.
      if (!notice || !to || !isTheirs) end(delivery, { kind: "sent" });
      else void sendTo(unit.house, sender, to, notice).then((outcome) => end(delivery, outcome));
    }
  } catch (error) {
    // The channel went while its message is still being cleared away; anything else is tried again.
    const isGone = error instanceof Refusal;
    if (!isGone && !sender.closing.signal.aborted)
      unit.house.log.error({ err: error }, "a mention could not be pushed");
    const outcome: Outcome = isGone
      ? { kind: "sent" }
      : { kind: "later", afterMs: 0, why: "our own failure" };
    for (const delivery of deliveries) if (sender.running.has(delivery.id)) end(delivery, outcome);
  }
}

async function sendTo(
  house: House,
  sender: Sender,
  to: SubscriptionsTable,
  notice: Pushed,
): Promise<Outcome> {
  let parcel: Parcel;
  try {
    parcel = sealed(house, to, notice);
  } catch {
    return { kind: "refused", why: "it could not be encrypted or signed" };
  }
  return post(network(house).current, parcel, sender.closing.signal);
}
