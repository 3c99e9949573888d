// The emoji state that this browser stores: recently used emoji, and the skin tone.
import { kept } from "../browser/kept.ts";
import type { Tone } from "./entries.ts";

export const recentKey = "emoji.recent";
export const toneKey = "emoji.tone";

/** Returns the recently used emoji, the latest first; undefined until any was used. */
export function usedEmoji(): readonly string[] | undefined {
  return kept<string[]>(recentKey);
}

export function chosenTone(): Tone {
  return kept<Tone>(toneKey) ?? 0;
}
