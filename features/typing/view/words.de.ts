// Texts of the typing line, in German.

export const german = {
  /** After one or two names. */
  typing: (count: number) => (count === 1 ? " schreibt" : " schreiben"),
  several: "Mehrere schreiben",
};
