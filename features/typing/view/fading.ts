// When a typing signal expires: by this machine's clock, counted from its arrival.
import type { Typist } from "../state.ts";

/** By signal: when this page first saw it. */
export type Seen = ReadonlyMap<string, number>;

/** How long a signal lasts, in milliseconds; typists send one every 3 s. */
export const fadesAfterMs = 6000;

function keyOf({ user_id, at }: Typist): string {
  return `${user_id} ${at}`;
}

/** A signal that was there when the page started may be old: its own time counts, if it is earlier. */
export function seenAfter(seen: Seen | undefined, typists: readonly Typist[], nowMs: number): Seen {
  return new Map(
    typists.map((typist) => {
      const fresh = seen ? nowMs : Math.min(nowMs, Date.parse(typist.at));
      return [keyOf(typist), seen?.get(keyOf(typist)) ?? fresh];
    }),
  );
}

/** Returns who is still typing, and the milliseconds until that changes by itself. */
export function stillThere(
  seen: Seen,
  typists: readonly Typist[],
  nowMs: number,
): { ids: string[]; nextMs: number | undefined } {
  const leftOf = (typist: Typist) => (seen.get(keyOf(typist)) ?? 0) + fadesAfterMs - nowMs;
  const there = typists.filter((typist) => leftOf(typist) > 0);
  return {
    ids: there.map(({ user_id }) => user_id),
    nextMs: there.length > 0 ? Math.min(...there.map(leftOf)) : undefined,
  };
}
