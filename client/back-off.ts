// How long a client waits before it connects again: longer each time, and never all clients at once.

const firstMs = 500;
export const longestMs = 30_000;
/** After the gateway said that it was too much (4008). */
export const toldToWaitMs = 15_000;

/** Any time up to a bound that doubles with each failure: the clients of a server that comes back spread over it. */
export function backOffMs(failures: number, random: () => number): number {
  return Math.round(random() * Math.min(longestMs, firstMs * 2 ** failures));
}
