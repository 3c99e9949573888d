// One try of each delivery: its recipient is checked again, and the result is kept for the queue.
import { Refusal } from "../../protocol/errors.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectMessage } from "../messages/access.ts";
import type { Outcome } from "./push-request.ts";
import type { DeliveriesTable } from "./queue.ts";
import { noticeOf, recipientsOf } from "./recipients.ts";
import { selectSubscriptions } from "./store.ts";

export interface Done {
  delivery: DeliveriesTable;
  outcome: Outcome;
}

/** The deliveries that a house is trying. */
export class Sender {
  readonly closing = new AbortController();
  /** Deliveries under way. */
  readonly running = new Map<string, DeliveriesTable>();
  /** Results of the tries that ended since the last look. */
  done: Done[] = [];

  under(userId: string): number {
    let count = 0;
    for (const delivery of this.running.values()) if (delivery.user_id === userId) count++;
    return count;
  }
}

/** Checks again whether each person may and wants to hear of the message, and sends it if so. */
export async function start(
  unit: UnitOfWork,
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
    const userIds = new Set(deliveries.map((each) => each.user_id));
    const mentioned = new Set(deliveries.filter((each) => each.is_mention === 1).map((each) => each.user_id));
    const recipients = message && (await recipientsOf(unit, message, [...userIds], mentioned));
    const [reader] = recipients?.keys() ?? [];
    const notice = message && reader ? await noticeOf(unit, message, reader) : undefined;
    const subscriptions = await selectSubscriptions(
      unit.db,
      deliveries.map((each) => each.subscription_id),
    );
    const { sendTo } = await import("./delivering.ts");
    for (const delivery of deliveries) {
      const to = subscriptions.get(delivery.subscription_id);
      const type = to?.user_id === delivery.user_id && recipients?.get(delivery.user_id);
      // Nobody waits for this delivery any more: it counts as sent.
      if (!notice || !to || !type) end(delivery, { kind: "sent" });
      else
        void sendTo(unit.house, to, { type, ...notice }, sender.closing.signal).then((outcome) =>
          end(delivery, outcome),
        );
    }
  } catch (error) {
    // The channel was deleted while its messages are still being swept; any other error is tried again.
    const isGone = error instanceof Refusal;
    if (!isGone && !sender.closing.signal.aborted)
      unit.house.log.error({ err: error }, "a message could not be pushed");
    const outcome: Outcome = isGone
      ? { kind: "sent" }
      : { kind: "later", afterMs: 0, why: "our own failure" };
    for (const delivery of deliveries) if (sender.running.has(delivery.id)) end(delivery, outcome);
  }
}
