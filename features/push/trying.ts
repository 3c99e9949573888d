// One try of each delivery: who is to hear of it is looked at again, and what came of it is kept for the queue.
import { Refusal } from "../../protocol/errors.ts";
import type { Unit } from "../../server/house/unit.ts";
import { selectMessage } from "../messages/access.ts";
import { hearersOf, noticeOf } from "./hearers.ts";
import type { Outcome } from "./post.ts";
import type { DeliveriesTable } from "./queue.ts";
import { selectSubscriptions } from "./store.ts";

export interface Done {
  delivery: DeliveriesTable;
  outcome: Outcome;
}

/** The tries of a house. */
export class Sender {
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

/** Looks once more whether each may and wants to hear of it, and sends it to those. */
export async function start(
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
    const { sendTo } = await import("./delivering.ts");
    for (const delivery of deliveries) {
      const to = subscriptions.get(delivery.subscription_id);
      const isTheirs = to?.user_id === delivery.user_id && hearers?.has(delivery.user_id);
      // Nothing is owed any more: as good as sent.
      if (!notice || !to || !isTheirs) end(delivery, { kind: "sent" });
      else
        void sendTo(unit.house, to, notice, sender.closing.signal).then((outcome) => end(delivery, outcome));
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
