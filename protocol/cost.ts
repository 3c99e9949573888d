// The cost of dear operations: as how many calls of a person's rate a call counts.

/**
 * How many calls a call counts as in the caller's rate, where it is dear: one for each 2 ms of processor time that it
 * takes when it comes again and again, as `npm run bench -- costs` measures it. A person and their bots may have
 * `dearAtOnce` such calls carried out at a time: one that brings a file is, once the file is there.
 */
export interface Cost {
  /** The most that a call counts as, from 2 to `mostCost`; the description names it. */
  worst: number;
  /** Returns how many calls one with these fields counts as, those of its query and of its body, where that differs. */
  of?(asked: Readonly<Record<string, unknown>>): number;
  /** The same in words, for the description. */
  how?: string;
}

export const mostCost = 20;
export const dearAtOnce = 2;

/** The cost of a page whose length is asked for by `limit`: one call for each so many things; `longest` without a limit. */
export function costByLimit(longest: number, thingsForOne: number): Cost {
  return {
    worst: Math.ceil(longest / thingsForOne),
    of: ({ limit = longest }) => Math.ceil(Math.min(Math.max(Number(limit), 1), longest) / thingsForOne),
    how: `one for each ${thingsForOne} of \`limit\``,
  };
}
