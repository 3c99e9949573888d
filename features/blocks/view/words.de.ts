// Texts of blocking, in German.
export const german = {
  block: "Blockieren",
  unblock: "Nicht mehr blockieren",
  blockHint: "Was die Person schreibt, ist eingeklappt; sie erfährt nichts davon.",
  blocked: (name: string) => `${name} ist blockiert`,
  unblocked: (name: string) => `${name} ist nicht mehr blockiert`,
};
