// A time limit on promises that costs almost nothing when they settle soon: one shared clock, not a timer each.

interface Waiting {
  /** The tick at which the wait began. */
  since: number;
  giveUp(): void;
}

const looksGranted = 10;

/**
 * Returns a function that waits for a promise at most `ms` (and a tenth more), then rejects with the error of `late`.
 * Counts ticks, not time: a process that was suspended for a minute still receives what has arrived before it gives up.
 * `later` lets a tick come after so many milliseconds.
 */
export function deadline(
  ms: number,
  late: () => Error,
  later: (tick: () => void, ms: number) => unknown = setTimeout,
): <T>(promise: Promise<T>) => Promise<T> {
  // In the order in which they began: the first that has time left ends the loop.
  const waiting = new Set<Waiting>();
  let looks = 0;
  let looksAgain = false;

  function look(): void {
    looks++;
    for (const each of waiting) {
      if (looks - each.since <= looksGranted) break;
      waiting.delete(each);
      each.giveUp();
    }
    looksAgain = waiting.size > 0;
    if (looksAgain) later(look, ms / looksGranted);
  }

  return (promise) =>
    new Promise((resolve, reject) => {
      const each = { since: looks, giveUp: () => reject(late()) };
      waiting.add(each);
      if (!looksAgain) {
        looksAgain = true;
        later(look, ms / looksGranted);
      }
      promise.then(
        (value) => {
          waiting.delete(each);
          resolve(value);
        },
        (error) => {
          waiting.delete(each);
          reject(error);
        },
      );
    });
}
