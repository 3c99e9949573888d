// Texts of blocking, in English.
export const english = {
  block: "Block",
  unblock: "Unblock",
  blockHint: "Their messages are folded away, and they are not told.",
  blocked: (name: string) => `${name} is blocked`,
  unblocked: (name: string) => `${name} is not blocked any more`,
};
