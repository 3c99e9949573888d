// Caches an expensive value briefly: all callers get the same, and only one is made at a time.

/**
 * Returns a function that makes the value when called, and returns the same value for `ms` after it was ready (or
 * failed).
 */
export function kept<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  let freshUntil = Number.POSITIVE_INFINITY;
  return () => {
    if (value && performance.now() < freshUntil) return value;
    freshUntil = Number.POSITIVE_INFINITY;
    const making = make();
    const ready = () => {
      freshUntil = performance.now() + ms;
    };
    making.then(ready, ready);
    value = making;
    return making;
  };
}
