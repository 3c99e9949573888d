// Captures what the processes of a house log from now on.
import { type Mock, spyOn } from "bun:test";
import type { TestHouse } from "../open/engines.ts";

export class Logged {
  readonly #spies: readonly Mock<(...words: never[]) => void>[];

  constructor(house: TestHouse, level: "info" | "warn") {
    this.#spies = house.all.map(({ house: { log } }) => spyOn(log, level) as never);
  }

  /** The arguments of each log call, by process and in order. */
  get calls(): unknown[][] {
    return this.#spies.flatMap((spy) => spy.mock.calls as unknown[][]);
  }

  forget(): void {
    for (const spy of this.#spies) spy.mockClear();
  }

  [Symbol.dispose](): void {
    for (const spy of this.#spies) spy.mockRestore();
  }
}
