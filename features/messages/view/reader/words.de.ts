// Texts of reader mode, in German.
export const german = {
  older: "Ältere",
  newer: "Neuere",
  newest: "Neueste",
  page: (from: string, to: string) => `Nachrichten von ${from} bis ${to}`,
  beginning: "Das ist der Anfang des Kanals.",
  waiting: (count: string, isOne: boolean) => (isOne ? "1 neuere Nachricht" : `${count} neuere Nachrichten`),
  empty: "Hier wurde noch nichts gesagt.",
};
