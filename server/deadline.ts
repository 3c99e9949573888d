// A time limit on promises that costs almost nothing when they settle soon: one shared timer, not one each.

interface Waiting {
  /** The tick at which the wait began. */
  since: number;
  giveUp(): void;
}

const looksGranted = 10;

/**
 * Returns a function that waits for a promise at most `ms` (plus a tenth), then rejects with the error of `late`. It
 * counts ticks, not time: a process that was suspended for a minute still receives what has arrived before it gives up.
 * `later` schedules a tick after the given number of milliseconds.
 */
export function deadline(
  ms: number,
  late: () => Error,
  later: (tick: () => void, ms: number) => unknown = setTimeout,
): <T>(promise: Promise<T>) => Promise<T> {
  // In order of their start: the first one with time left ends the loop.
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
