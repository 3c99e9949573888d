// Texts of the page of blocked people, in German.
export const german = {
  title: "Blockierte Leute",
  lead: "Du hörst nichts von ihnen, und sie erfahren es nie. Ihre Nachrichten sind eine Zeile, die du öffnen kannst.",
  none: "Du blockierst niemanden. Blockieren kannst du Leute auf ihrer Karte.",
  unblock: "Freigeben",
  unblockNamed: (name: string) => `${name} freigeben`,
  unblocked: (name: string) => `${name} ist nicht mehr blockiert`,
  undo: "Wieder blockieren",
  undoNamed: (name: string) => `${name} wieder blockieren`,
};
