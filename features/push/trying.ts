// An attempt of a delivery: checks its recipient again, and keeps the result for the queue.
import { Refusal } from "../../protocol/errors.ts";
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { network, patienceOf } from "../../server/outbound/network.ts";
import { type Place, Places } from "../../server/outbound/places.ts";
import { selectMessage } from "../messages/access.ts";
import { otherNotices } from "./access.ts";
import { type Choice, Chooser } from "./choosing.ts";
import type { Notice } from "./contract.ts";
import type { Outcome } from "./push-request.ts";
import type { DeliveriesTable } from "./queue.ts";
import { noticeOf, recipientsOf } from "./recipients.ts";
import { selectSubscriptions } from "./store.ts";

export interface Done {
  delivery: DeliveriesTable;
  outcome: Outcome;
}

/** The most concurrent connections in total. */
const mostAtOnce = 20;
/** Limits on connections of one person and to one host, so that slow ones do not delay others. */
const mostOfPerson = 4;
const mostOfHost = 16;
/** Slots reserved for people without a connection. */
const kept = 4;

interface Running {
  delivery: DeliveriesTable;
  place: Place;
  /** Set once it is handed to its push service; resolves when that has ended. */
  sending: Promise<void> | undefined;
}

/** Grace period for running pushes at shutdown, in milliseconds: half of the time that features have in total. */
export const lastMs = 500;

/** The deliveries in progress of a server. */
export class Sender {
  readonly closing = new AbortController();
  /** Deliveries in progress by id. */
  readonly running = new Map<string, Running>();
  /** Results of attempts that have ended since the last run. */
  done: Done[] = [];
  readonly #places: Places;
  readonly #chooser: Chooser;

  constructor(house: House) {
    this.#places = new Places({
      ...{ all: mostAtOnce, kept, ofPerson: mostOfPerson, ofHost: mostOfHost },
      patience: () => patienceOf(network(house).current),
    });
    this.#chooser = new Chooser(house, this.#places);
  }

  choose(choice: Choice, at: number): Promise<void> {
    const ended = this.done.map(({ delivery }) => delivery.id);
    return this.#chooser.choose(choice, new Set([...this.running.keys(), ...ended]), at);
  }

  /** Starts the claimed deliveries, and gives back the slots of the others. */
  begin({ chosen }: Choice, claimed: readonly DeliveriesTable[]): void {
    const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
    for (const { delivery, place } of chosen) {
      const counted = byId.get(delivery.id);
      if (counted) this.running.set(counted.id, { delivery: counted, place, sending: undefined });
      else this.#places.giveBack(place, true);
    }
  }

  send(delivery: DeliveriesTable, sending: Promise<Outcome>): void {
    const running = this.running.get(delivery.id);
    const ended = sending.then((outcome) => this.end(delivery, outcome));
    if (!running) return;
    running.sending = ended;
    // The time until now was ours, not the push service's.
    running.place.since = performance.now();
  }

  /** Resolves when no push service is working on a delivery any more. */
  async stop(): Promise<void> {
    const last = setTimeout(() => this.closing.abort(), lastMs);
    await Promise.all([...this.running.values()].map(({ sending }) => sending));
    clearTimeout(last);
    this.closing.abort();
  }

  end(delivery: DeliveriesTable, outcome: Outcome): void {
    const running = this.running.get(delivery.id);
    if (!running || !this.running.delete(delivery.id)) return;
    this.#places.giveBack(running.place, !running.sending || outcome.kind !== "later");
    this.done.push({ delivery, outcome });
  }

  /** Ends those of these deliveries that were not handed to their push service. */
  dropUnsent(deliveries: readonly DeliveriesTable[]): void {
    const failure: Outcome = { kind: "later", afterMs: 0, why: "our own failure" };
    for (const each of deliveries) if (!this.running.get(each.id)?.sending) this.end(each, failure);
  }
}

/** Checks again whether each person may see and wants the message, and sends it if so. */
export async function start(
  unit: UnitOfWork,
  sender: Sender,
  messageId: string,
  deliveries: readonly DeliveriesTable[],
): Promise<void> {
  try {
    const notices = await noticesFor(unit, messageId, deliveries);
    const subscriptions = await selectSubscriptions(
      unit.db,
      deliveries.map((each) => each.subscription_id),
    );
    const { sendTo } = await import("./delivering.ts");
    for (const delivery of deliveries) {
      const to = subscriptions.get(delivery.subscription_id);
      const notice = to?.user_id === delivery.user_id && notices.get(delivery.user_id);
      // Nobody needs this delivery any more: it counts as sent.
      if (!notice || !to) sender.end(delivery, { kind: "sent" });
      else sender.send(delivery, sendTo(unit.house, to, notice, sender.closing.signal));
    }
  } catch (error) {
    // The channel is deleted and its messages are still being swept; other errors are retried.
    const isGone = error instanceof Refusal;
    if (!isGone && !sender.closing.signal.aborted)
      logFailure(unit.house, error, "a message could not be pushed");
    if (isGone) for (const delivery of deliveries) sender.end(delivery, { kind: "sent" });
    else sender.dropUnsent(deliveries);
  }
}

/** Returns the notices by person: of a message, or of what another feature queued under this id. */
async function noticesFor(
  unit: UnitOfWork,
  messageId: string,
  deliveries: readonly DeliveriesTable[],
): Promise<ReadonlyMap<string, Notice>> {
  const userIds = [...new Set(deliveries.map((each) => each.user_id))];
  const message = await selectMessage(unit.db, messageId);
  if (!message) {
    const others = await unit.ask(otherNotices, messageId, userIds);
    return new Map(others.flatMap((notices) => [...notices]));
  }
  const mentioned = new Set(deliveries.filter((each) => each.is_mention === 1).map((each) => each.user_id));
  const recipients = await recipientsOf(unit, message, userIds, mentioned);
  const [reader] = recipients.keys();
  if (reader === undefined) return new Map();
  const notice = await noticeOf(unit, message, reader);
  return new Map([...recipients].map(([id, type]) => [id, { type, ...notice }]));
}
