// What is known already is had at once, without a promise: on paths that run thousands of times a second.

/** A value that is here, or one that is still on its way. */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value: at once where it is here. */
export function onceKnown<T, R>(value: Soon<T>, goOn: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
