// Compares the messages that a listener received with the acknowledged ones: none missing, duplicate or out of order.

import type { How } from "./listener.ts";
import type { Message } from "./wire.ts";

interface Verdict {
  missing: number;
  duplicate: number;
  outOfOrder: number;
  /** Messages received that no response ever acknowledged. */
  unknown: number;
}

export class Tally {
  readonly #heard = new Map<string, How>();
  readonly #newest = new Map<string, string>();
  #duplicate = 0;
  #outOfOrder = 0;

  /** Returns whether the message was new. */
  add(message: Message, how: How): boolean {
    const before = this.#heard.get(message.id);
    if (how === "recovered") {
      // Fetching starts a little too early on purpose, so it may find known messages.
      if (before === undefined) this.#heard.set(message.id, how);
      return before === undefined;
    }
    // A message fetched a moment ago may still come over the socket, once.
    if (before !== undefined && before !== "recovered") this.#duplicate += 1;
    else this.#keepOrder(message);
    this.#heard.set(message.id, how);
    return before === undefined;
  }

  get heard(): number {
    return this.#heard.size;
  }

  judge(acknowledged: Set<string>, disorders: number): Verdict {
    let present = 0;
    for (const id of this.#heard.keys()) if (acknowledged.has(id)) present += 1;
    return {
      missing: acknowledged.size - present,
      duplicate: this.#duplicate,
      outOfOrder: this.#outOfOrder + disorders,
      unknown: this.#heard.size - present,
    };
  }

  #keepOrder(message: Message): void {
    if (message.id < (this.#newest.get(message.channel_id) ?? "")) this.#outOfOrder += 1;
    else this.#newest.set(message.channel_id, message.id);
  }
}
