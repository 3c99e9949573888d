// Loads the parts that the first message did not need, while nobody waits for anything else.
import { idle } from "../browser/idle.ts";
import { isComing } from "../browser/quiet.ts";
import { sleep } from "../browser/sleep.ts";
import type { Parts } from "./later.tsx";

/** The most that a busy page delays the next part, in milliseconds. */
const busyMs = 1000;
/** How long a part may take, or a list that is being loaded delay it, before the next one is loaded in parallel (ms). */
const patienceMs = 5000;
/** The pause in presses and keys that the parts wait for which load on first use anyway, in milliseconds. */
const pauseMs = 1000;
const lookMs = 50;

const acts = ["pointerdown", "click", "keydown", "wheel", "touchmove"] as const;

let actedAt = Number.NEGATIVE_INFINITY;
for (const act of acts)
  addEventListener(
    act,
    () => {
      actedAt = performance.now();
    },
    { capture: true, passive: true },
  );

/** Loads all of these parts, one after another. Those that nobody can ask for come first. */
export async function loadRest({ mounted, onUse }: Parts): Promise<void> {
  while (mounted.length + onUse.length > 0) {
    if (mounted.length === 0) await leftAlone();
    await calm();
    await idle(busyMs);
    const ask = mounted.shift() ?? onUse.shift();
    // After a failure it is requested again on first use.
    await Promise.race([ask?.().catch(() => {}), sleep(patienceMs)]);
  }
}

/** Waits until no page or list is loading. */
async function calm(): Promise<void> {
  for (let waited = 0; isComing() && waited < patienceMs; waited += lookMs) await sleep(lookMs);
}

async function leftAlone(): Promise<void> {
  for (;;) {
    const left = actedAt + pauseMs - performance.now();
    if (left <= 0) return;
    await sleep(left);
  }
}
