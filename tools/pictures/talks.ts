// The reader's direct conversations in the screenshots, the oldest first.
import { talks, type Who } from "./community.ts";
import type { Neighbour } from "./neighbour.ts";

/** Returns the ids of the conversations by their keys. */
export async function makeTalks(
  people: Readonly<Record<Who, Neighbour>>,
): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>();
  for (const { key, by, others, name, said } of talks) {
    const user_ids = others.map((who) => people[who].id);
    const { id } = await people[by].done<{ id: string }>("POST", "/direct", { user_ids });
    if (name !== undefined) await people[by].done("PATCH", `/channels/${id}`, { name });
    for (const [who, text] of said) await people[who].say(id, text);
    made.set(key, id);
  }
  return made;
}
