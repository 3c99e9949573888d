// Counts members and nesting of a JSON text before it is parsed: many or deep ones cost far more to build than to scan.
import { Refusal } from "../protocol/errors.ts";

const deepest = 32;
/** The most members of all objects, and the most commas. A text with more is an attack. */
const mostMembers = 2000;

/**
 * Returns the number of members of all objects: each colon outside of a string is one. Throws malformed_json (400) at
 * more than 32 levels of nesting, invalid_request (400) at more than 2,000 members or commas.
 */
export function countMembers(text: string): number {
  let depth = 0;
  let members = 0;
  let commas = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x3a) {
      if (++members > mostMembers) throw tooMany();
    } else if (code === 0x2c) {
      if (++commas > mostMembers) throw tooMany();
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) throw new Refusal("malformed_json", "The body is nested too deeply.");
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return members;
}

function tooMany(): Refusal {
  return new Refusal("invalid_request", `A body may have at most ${mostMembers} fields and list entries.`);
}
