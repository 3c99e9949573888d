// A test push to an admin's own browsers, which shows whether pushes arrive.
import { Refusal } from "../../protocol/errors.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { Queue } from "../../server/queue.ts";
import { settingsNow } from "../instance/access.ts";
import type { Notice } from "./contract.ts";
import { emitSubscriptionsUpdated } from "./emitting.ts";
import type { Outcome } from "./push-request.ts";
import { closingOf } from "./sending.ts";
import { deleteSubscription, type SubscriptionsTable, selectSubscriptionsOf } from "./store.ts";

/** One at a time among all admins, as each waits for its result. */
const turns = perHouse("queue", () => new Queue({ mostWaiting: 2, full: tooMany }));

/** Throws conflict without a subscription, unavailable if no push service accepts the notification. */
export async function sendTestPush(unit: UnitOfWork, userId: string): Promise<void> {
  const subscriptions = await selectSubscriptionsOf(unit.db, userId);
  if (subscriptions.length === 0) throw nothingSubscribed();
  const outcomes = await turns(unit.house).run(() => pushTo(unit, subscriptions));
  const gone = subscriptions.filter((_, i) => outcomes[i]?.kind === "gone");
  if (gone.length > 0) await drop(unit, userId, gone);
  if (outcomes.some(({ kind }) => kind === "sent")) return;
  if (gone.length === subscriptions.length) throw nothingSubscribed();
  const reasons = new Set(outcomes.flatMap((outcome) => ("why" in outcome ? [outcome.why] : [])));
  const sentence = `No push service took the notification (${[...reasons].join("; ")}).`;
  throw new Refusal("unavailable", sentence, { retryAfter: 5 });
}

/** A person has few subscriptions, so they are pushed to in parallel. */
async function pushTo(unit: UnitOfWork, subscriptions: readonly SubscriptionsTable[]): Promise<Outcome[]> {
  const { house } = unit;
  const { name } = await settingsNow(unit);
  const notice: Notice = {
    type: "test",
    title: name,
    body: "Notifications arrive here.",
    url: house.publicUrl,
  };
  const { sendTo } = await import("./delivering.ts");
  return Promise.all(subscriptions.map((each) => sendTo(house, each, notice, closingOf(house))));
}

/** Deletes subscriptions that have ended according to the push service. */
function drop(unit: UnitOfWork, userId: string, gone: readonly SubscriptionsTable[]): Promise<void> {
  return unit.write(async (write) => {
    for (const { id } of gone) await deleteSubscription(write.db, id);
    emitSubscriptionsUpdated(write, userId);
  });
}

function nothingSubscribed(): Refusal {
  return new Refusal("conflict", "None of your browsers is subscribed to notifications. Allow them first.");
}

function tooMany(): Refusal {
  return new Refusal("rate_limited", "Tests are under way already. Wait a moment.", { retryAfter: 5 });
}
