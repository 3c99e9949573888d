// Cache of parsed texts: a row rendered again, by scrolling for example, does not parse its text again.
import type { Names } from "../../text/calls.ts";
import { parse } from "../../text/parse.ts";
import type { Block } from "../../text/tree.ts";

/** More than two pages of messages. */
const mostTexts = 120;
const known = new Map<string, { names: Names; blocks: readonly Block[] }>();

export function read(text: string, names: Names): readonly Block[] {
  let found = known.get(text);
  if (!found || !areAlike(found.names, names)) found = { names, blocks: parse(text, names) };
  // Moves the latest text to the end of the map.
  known.delete(text);
  known.set(text, found);
  for (const oldest of known.keys()) if (known.size > mostTexts) known.delete(oldest);
  return found.blocks;
}

/** Each row builds its own maps of the people and roles in its message; the map of channels is shared by all rows. */
function areAlike(one: Names, other: Names): boolean {
  return (
    one.everyone === other.everyone &&
    one.channels === other.channels &&
    isSame(one.people, other.people) &&
    isSame(one.roles, other.roles)
  );
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, id]) => other.get(name) === id);
}
