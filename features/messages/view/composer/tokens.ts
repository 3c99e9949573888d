// What is being completed: the word before the caret that begins with @, #, : or /.

export type Sign = "@" | "#" | ":" | "/";

export interface Token {
  sign: Sign;
  /** What stands between the sign and the caret. */
  query: string;
  /** Where the sign stands. */
  start: number;
  end: number;
}

/** As long as a name may be that the server looks for. */
const queryMost = 64;
/** Two letters, so that ":)" and "10:30" ask for nothing. */
const emojiLeast = 2;

/** Returns undefined where nothing is to be completed; in code nothing is. */
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

/** Whether what follows this text is code. */
export function isInCode(before: string): boolean {
  const fences = before.split(/^ {0,3}```/m).length - 1;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.replaceAll("```", "").split("`").length % 2 === 0;
}
