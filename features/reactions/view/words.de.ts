// Texts about reactions, in German.
export const german = {
  reactions: "Reaktionen",
  react: "Reagieren",
  reactWith: (emoji: string) => `Mit ${emoji} reagieren`,
  add: "Reaktion hinzufügen",
  full: "Mehr als 20 verschiedene Emoji passen nicht an eine Nachricht.",
  count: (emoji: string, count: number) => `${emoji} ${count}`,
  showMore: (count: number) => `${count} weitere zeigen`,
  showFewer: "Weniger zeigen",
  you: "du",
  others: (count: number) => (count === 1 ? "jemand anderes" : `${count} andere`),
  cannot: (why: string) => `Die Reaktion bleibt, wie sie war. ${why}`,
};
