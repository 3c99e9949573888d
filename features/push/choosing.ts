// Chooses which due deliveries get a slot: in order, skipping people and hosts that have used up their share, and
// reading no more than a few pages of a long queue at a time.
import type { House } from "../../server/house/house.ts";
import type { Place, Places } from "../../server/outbound/places.ts";
import { type DeliveriesTable, type Page, type Position, selectDue } from "./queue.ts";
import { selectSubscriptions } from "./store.ts";

export const mostTries = 5;
/** A message older than this, in milliseconds, gets one attempt, if it has had none. */
export const keptMs = 6 * 3600_000;

const pageLength = 64;

export interface Choice {
  chosen: { delivery: DeliveriesTable; place: Place }[];
  /** Deliveries to give up: attempts are counted before they begin, and the process may have died since. */
  spent: DeliveriesTable[];
}

export class Chooser {
  readonly #house: House;
  readonly #places: Places;
  /** The place in the middle of the queue from which the search continues. */
  #reached: Position | undefined;

  constructor(house: House, places: Places) {
    this.#house = house;
    this.#places = places;
  }

  /**
   * Adds to the choice, whose slots the caller must give back even after an error. `known`: ids of deliveries that are
   * in progress, or whose result is not stored yet.
   */
  async choose(choice: Choice, known: ReadonlySet<string>, at: number): Promise<void> {
    const seen = new Set(known);
    const look = async (page: Omit<Page, "limit">) => {
      if (this.#places.isFull) return undefined;
      const rows = await selectDue(this.#house.database.read, at, { limit: pageLength, ...page });
      await this.#takeFrom(rows, seen, choice, at);
      return rows.length === pageLength ? rows.at(-1) : undefined;
    };
    const isLong = await look({});
    if (!isLong) return;
    // The front may belong to people or hosts with a full share. The newest follow, and then the part between, which is
    // searched page by page.
    await look({ order: "desc" });
    if (!this.#places.isFull) this.#reached = await look({ after: this.#reached ?? isLong });
  }

  async #takeFrom(
    rows: readonly DeliveriesTable[],
    seen: Set<string>,
    { chosen, spent }: Choice,
    at: number,
  ): Promise<void> {
    const unseen = rows.filter(({ id }) => !seen.has(id));
    const ids = unseen.map((row) => row.subscription_id);
    const subscriptions = await selectSubscriptions(this.#house.database.read, [...new Set(ids)]);
    for (const delivery of unseen) {
      seen.add(delivery.id);
      if (this.#isSpent(delivery, at)) {
        spent.push(delivery);
        continue;
      }
      const to = subscriptions.get(delivery.subscription_id);
      const place = to && this.#places.take(delivery.user_id, new URL(to.endpoint).host);
      if (place && !("why" in place)) chosen.push({ delivery, place });
    }
  }

  #isSpent({ tries, created_at }: DeliveriesTable, at: number): boolean {
    if (tries >= mostTries) return true;
    return tries > 0 && at > created_at + keptMs && this.#house.clock.mayDelete();
  }
}
