// READY's lists beside the servers, assembled from the features' parts piece by piece, as JSON.
import type { Caller, ReadyEntry } from "../house/feature.ts";
import { jsonTexts, type Pace } from "../house/pieces.ts";
import type { UnitOfWork } from "../house/unit.ts";

export class ReadyLists {
  /** By the list's name: pieces of its items, as JSON without the brackets. */
  readonly #lists = new Map<string, string[]>();
  readonly #pace: Pace;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Asks each feature about these entries of the caller's servers. */
  async add(unit: UnitOfWork, caller: Caller, entries: readonly ReadyEntry[]): Promise<void> {
    for (const { readyBeside } of unit.house.features) {
      if (!readyBeside) continue;
      const lists = await readyBeside(unit, caller, entries);
      await this.#pace.rest();
      for (const [name, items] of Object.entries(lists)) await this.#append(name, items);
    }
  }

  async #append(name: string, items: readonly unknown[]): Promise<void> {
    const list = this.#lists.get(name) ?? [];
    this.#lists.set(name, list);
    for (const text of jsonTexts(items)) {
      list.push(text);
      await this.#pace.rest();
    }
  }

  /** The lists as members of READY's data, each with a leading comma. */
  get json(): string {
    return [...this.#lists].map(([name, list]) => `,"${name}":[${list.join(",")}]`).join("");
  }
}
