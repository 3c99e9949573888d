// The cost of expensive operations: the number of calls as which a call counts in a person's rate limit.

/**
 * The number of calls as which an expensive call counts in the caller's rate limit: one for each 2 ms of processor time
 * that it takes when repeated, as measured by `npm run bench -- costs`. A person and their bots may have `dearAtOnce`
 * such calls processed at a time; a call with a file counts as such once the file has arrived.
 */
export interface Cost {
  /** The highest cost of a call, from 2 to `mostCost`; the API description states it. */
  worst: number;
  /** Returns the cost of a call with these fields of its query and body, if it varies. */
  of?(asked: Readonly<Record<string, unknown>>): number;
  /** The same in words, for the API description. */
  how?: string;
}

export const mostCost = 20;
export const dearAtOnce = 2;

/** The cost of a page with a `limit`: one call for each `thingsForOne` items; `longest` items without a limit. */
export function costByLimit(longest: number, thingsForOne: number): Cost {
  return {
    worst: Math.ceil(longest / thingsForOne),
    of: ({ limit = longest }) => Math.ceil(Math.min(Math.max(Number(limit), 1), longest) / thingsForOne),
    how: `one for each ${thingsForOne} of \`limit\``,
  };
}
