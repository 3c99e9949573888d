// A limit on waiting that costs next to nothing when the wait is short: one clock for all who wait, not a timer each.

interface Waiting {
  /** After which look it began. */
  since: number;
  giveUp(): void;
}

const looksGranted = 10;

/**
 * Waits for promises, for each at most `ms` (and a tenth more); then rejects with what `late` makes. Counted are looks,
 * not time: a process that was stopped for a minute hears what has arrived meanwhile before it gives up.
 */
export function deadline(ms: number, late: () => Error): <T>(promise: Promise<T>) => Promise<T> {
  // In the order in which they began, so the first that has time left ends the look.
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
    if (looksAgain) setTimeout(look, ms / looksGranted);
  }

  return (promise) =>
    new Promise((resolve, reject) => {
      const each = { since: looks, giveUp: () => reject(late()) };
      waiting.add(each);
      if (!looksAgain) {
        looksAgain = true;
        setTimeout(look, ms / looksGranted);
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
