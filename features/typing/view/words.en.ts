// The line of those who type, in English.

export const english = {
  /** After the names of one or two. */
  typing: (count: number) => (count === 1 ? " is typing" : " are typing"),
  several: "Several people are typing",
};
