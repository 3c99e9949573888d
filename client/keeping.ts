// The unsent messages that would be lost with the page, as the browser could not store them.
import type { Unsent, UnsentStore } from "./unsent.ts";

export class Keeping {
  readonly #store: UnsentStore;
  /** By nonce of an unstored message: the callback for when it is stored or gone. */
  readonly #unkept = new Map<string, () => void>();

  constructor(store: UnsentStore) {
    this.#store = store;
  }

  get isAtRisk(): boolean {
    return this.#unkept.size > 0;
  }

  async keep(message: Unsent, isHere: () => boolean): Promise<void> {
    const { nonce } = message;
    try {
      await this.#store.keep(message);
      this.forget(nonce);
    } catch {
      if (!isHere()) this.forget(nonce);
      else if (!this.#unkept.has(nonce)) this.#unkept.set(nonce, () => {});
    }
  }

  /** Resolves once the message would not be lost with the page. */
  async safe(nonce: string): Promise<void> {
    if (this.#unkept.has(nonce)) await new Promise<void>((resolve) => this.#unkept.set(nonce, resolve));
  }

  forget(nonce: string): void {
    this.#unkept.get(nonce)?.();
    this.#unkept.delete(nonce);
  }
}
