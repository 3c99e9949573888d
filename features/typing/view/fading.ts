// When a sign of typing fades: by this machine's clock, from the moment in which it came.
import type { Typist } from "../state.ts";

/** By sign: when this page saw it first. */
export type Seen = ReadonlyMap<string, number>;

/** A typist gives a sign each 3 s. */
export const fadesAfterMs = 6000;

function keyOf({ user_id, at }: Typist): string {
  return `${user_id} ${at}`;
}

/** A sign that was there when the page began to look may be an old one: its own time counts, if it is earlier. */
export function seenAfter(seen: Seen | undefined, typists: readonly Typist[], nowMs: number): Seen {
  return new Map(
    typists.map((typist) => {
      const fresh = seen ? nowMs : Math.min(nowMs, Date.parse(typist.at));
      return [keyOf(typist), seen?.get(keyOf(typist)) ?? fresh];
    }),
  );
}

/** Returns who is still typing, and in how many milliseconds that changes by itself. */
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
