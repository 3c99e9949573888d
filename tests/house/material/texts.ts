// Listens to how long the texts are that are written in one go: what is long holds everybody up.
import { spyOn } from "bun:test";

/** The longest JSON that is written during the work, in characters. */
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
