// Texts of blocking, in English.
export const english = {
  block: "Block",
  unblock: "Unblock",
  blocked: (name: string) => `${name} is blocked`,
  unblocked: (name: string) => `${name} is not blocked any more`,
};
