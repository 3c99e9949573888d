// Texts of reader mode, in English.
export const english = {
  older: "Older",
  newer: "Newer",
  newest: "Newest",
  page: (from: string, to: string) => `Messages from ${from} to ${to}`,
  beginning: "This is the beginning of the channel.",
  waiting: (count: string, isOne: boolean) => (isOne ? "1 newer message" : `${count} newer messages`),
  empty: "Nothing has been said here yet.",
};
