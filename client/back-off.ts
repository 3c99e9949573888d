// How long a client waits before it connects again: longer each time, and never all clients at once.

const firstMs = 500;
export const longestMs = 30_000;
/** Added to the wait when the gateway closed the socket because the client said too much (4008). */
export const toldToWaitMs = 15_000;

/**
 * Returns a wait in milliseconds: any time up to a bound that doubles with each failure, so that the clients of a
 * server that comes back spread over it. `random` returns a number from 0 to 1.
 */
export function backOffMs(failures: number, random: () => number): number {
  return Math.round(random() * Math.min(longestMs, firstMs * 2 ** failures));
}
