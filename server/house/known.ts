// Values that are used synchronously when known, without a promise: for paths that run thousands of times a second.

/** A value, or a promise of it. */
export type Soon<T> = T | Promise<T>;

/** Continues with the value: synchronously when it is known. */
export function onceKnown<T, R>(value: Soon<T>, goOn: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
