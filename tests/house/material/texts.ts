// Measures the longest text that one call of JSON.stringify makes: a long one blocks the event loop.
import { spyOn } from "bun:test";

/** Returns the result of the work, and the length of the longest JSON text made during it, in characters. */
export async function longestText<T>(work: () => Promise<T>): Promise<{ answer: T; characters: number }> {
  let characters = 0;
  const stringify = JSON.stringify;
  const spy = spyOn(JSON, "stringify").mockImplementation(((...given: Parameters<typeof JSON.stringify>) => {
    const text = stringify(...given);
    characters = Math.max(characters, text?.length ?? 0);
    return text;
  }) as typeof JSON.stringify);
  try {
    return { answer: await work(), characters };
  } finally {
    spy.mockRestore();
  }
}
