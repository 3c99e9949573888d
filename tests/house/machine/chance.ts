// Seeded random numbers for tests: the same in each run, so that a failure points to the change under test. Other seeds
// find what the usual one misses: `HEARTH_TEST_SEED=random` picks and prints one, `HEARTH_TEST_SEED=7` repeats seed 7.

const usualSeed = 20_260_101;

/** Returns the seed of this run, and prints it with the name `what` when HEARTH_TEST_SEED is set. */
export function seedFor(what: string): number {
  const asked = Bun.env.HEARTH_TEST_SEED;
  if (!asked) return usualSeed;
  const seed = asked === "random" ? Date.now() % 1_000_000_007 : Number(asked);
  if (!Number.isSafeInteger(seed)) throw new Error(`HEARTH_TEST_SEED is no whole number: ${asked}`);
  console.info(`${what}: HEARTH_TEST_SEED=${seed}`);
  return seed;
}

/** Returns a replacement for Math.random whose numbers follow from the seed. */
export function chanceFor(what: string): () => number {
  let state = seedFor(what);
  // Mulberry32.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
