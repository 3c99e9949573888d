// Texts of blocking, in German.
export const german = {
  block: "Blockieren",
  unblock: "Nicht mehr blockieren",
  blocked: (name: string) => `${name} ist blockiert`,
  unblocked: (name: string) => `${name} ist nicht mehr blockiert`,
};
