// Texts of the page of blocked people, in English.
export const english = {
  title: "Blocked people",
  lead: "You hear nothing from them, and they are never told. Their messages show as one line that you can open.",
  none: "You block nobody. You can block people on their card.",
  unblock: "Unblock",
  unblockNamed: (name: string) => `Unblock ${name}`,
  unblocked: (name: string) => `${name} is not blocked any more`,
  undo: "Block again",
  undoNamed: (name: string) => `Block ${name} again`,
};
