// What this browser keeps of emoji: those that were used last, and the tone of skin.
import { kept } from "../browser/kept.ts";
import type { Tone } from "./entries.ts";

export const recentKey = "emoji.recent";
export const toneKey = "emoji.tone";

/** The latest first; undefined until somebody has used some. */
export function usedEmoji(): readonly string[] | undefined {
  return kept<string[]>(recentKey);
}

export function chosenTone(): Tone {
  return kept<Tone>(toneKey) ?? 0;
}
