// The line of those who type, in German.

export const german = {
  /** After the names of one or two. */
  typing: (count: number) => (count === 1 ? " schreibt" : " schreiben"),
  several: "Mehrere schreiben",
};
