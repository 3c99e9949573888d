// A limit on waiting that costs next to nothing when the wait is short: one clock for all who wait, not a timer each.

interface Waiting {
  until: number;
  giveUp(): void;
}

/** Waits for promises, for each at most `ms` (and a tenth more); then rejects with what `late` makes. */
export function deadline(ms: number, late: () => Error): <T>(promise: Promise<T>) => Promise<T> {
  // In the order in which they began, so the first that has time left ends the look.
  const waiting = new Set<Waiting>();
  let looksAgain = false;

  function look(): void {
    const now = performance.now();
    for (const each of waiting) {
      if (each.until > now) break;
      waiting.delete(each);
      each.giveUp();
    }
    looksAgain = waiting.size > 0;
    if (looksAgain) setTimeout(look, ms / 10);
  }

  return (promise) =>
    new Promise((resolve, reject) => {
      const each = { until: performance.now() + ms, giveUp: () => reject(late()) };
      waiting.add(each);
      if (!looksAgain) {
        looksAgain = true;
        setTimeout(look, ms / 10);
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
