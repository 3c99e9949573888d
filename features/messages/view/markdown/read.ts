// The trees of the last texts: a row that is drawn again, as by scrolling, does not read its text anew.
import type { Names } from "../../text/calls.ts";
import { parse } from "../../text/parse.ts";
import type { Block } from "../../text/tree.ts";

/** More than two pages of messages. */
const mostTexts = 120;
const known = new Map<string, { names: Names; blocks: readonly Block[] }>();

export function read(text: string, names: Names): readonly Block[] {
  let found = known.get(text);
  if (!found || !areAlike(found.names, names)) found = { names, blocks: parse(text, names) };
  // The text that was asked for last stands last in the map.
  known.delete(text);
  known.set(text, found);
  for (const oldest of known.keys()) if (known.size > mostTexts) known.delete(oldest);
  return found.blocks;
}

/** Each row makes its own maps of those whom its message calls; that of the channels is the same for all rows. */
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
