// Reads a URL that may be none, in browsers without `URL.parse`, too.

const engine: { parse?: (address: string) => URL | null } = URL;

/**
 * Returns null if the text is no URL. An exception of `new URL` costs more than all the rest of parsing, and a message
 * may hold hundreds of bad URLs: `URL.parse` throws none.
 */
export function readUrl(address: string): URL | null {
  if (engine.parse) return engine.parse(address);
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
