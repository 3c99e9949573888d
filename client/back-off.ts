// Reconnect delays of a client: longer each time, and random, so that clients do not reconnect all at once.

const firstMs = 500;
export const longestMs = 30_000;
/** Added to the delay when the gateway closed the socket for too many frames (4008). In milliseconds. */
export const toldToWaitMs = 15_000;

/**
 * Returns a delay in milliseconds: random, up to a bound that doubles with each failure, so that the clients of a
 * restarted server spread over it. `random` returns a number from 0 to 1.
 */
export function backOffMs(failures: number, random: () => number): number {
  return Math.round(random() * Math.min(longestMs, firstMs * 2 ** failures));
}
