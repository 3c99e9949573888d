// Parses JSON of other hosts, bounded by its number of values, as each takes far more memory and time than its bytes.

/** The JSON has more values than allowed. */
class TooManyParts extends Error {
  override name = "TooManyParts";
}

const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Throws for text that is not JSON, or has more than `mostParts` values, lists and objects. Commas and brackets inside
 * strings count as well: the bound is approximate.
 */
export function parseForeign(text: string, mostParts: number): unknown {
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code === comma || code === bracket || code === brace) && ++parts > mostParts)
      throw new TooManyParts(`more than ${mostParts} parts`);
  }
  return JSON.parse(text);
}
