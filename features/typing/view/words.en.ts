// Texts of the typing line, in English.

export const english = {
  /** After one or two names. */
  typing: (count: number) => (count === 1 ? " is typing" : " are typing"),
  several: "Several people are typing",
};
