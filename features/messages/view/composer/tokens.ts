// The word to complete: the one before the caret that begins with @, #, : or /.

export type Sign = "@" | "#" | ":" | "/";

export interface Token {
  sign: Sign;
  /** The text between the sign and the caret. */
  query: string;
  /** The position of the sign. */
  start: number;
  end: number;
}

/** The longest name that the server searches for. */
const queryMost = 64;
/** Two letters, so that ":)" and "10:30" bring no suggestions. */
const emojiLeast = 2;

/** Returns undefined where there is nothing to complete, as in code. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(0, caret);
  const found = /(?:^|[\s(*_~|"'])([@#:/])([^\s@#:/]*)$/u.exec(before);
  if (!found) return undefined;
  const [, sign = "", query = ""] = found;
  const start = caret - query.length - 1;
  if (query.length > queryMost || isInCode(before)) return undefined;
  if (sign === "/" && start !== 0) return undefined;
  if (sign === ":" && (query.length < emojiLeast || !/^[\p{L}\d+][\p{L}\d_+-]*$/u.test(query)))
    return undefined;
  return { sign: sign as Sign, query, start, end: caret };
}

/** True if the text that follows is code. */
export function isInCode(before: string): boolean {
  const fences = before.split(/^ {0,3}```/m).length - 1;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.replaceAll("```", "").split("`").length % 2 === 0;
}
