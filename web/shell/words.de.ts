// The words of the frame in German.
export const german = {
  connection: "Verbindung",
  noConnection: "Keine Verbindung.",
  waiting: (count: number) =>
    count === 1
      ? "1 Nachricht wartet und geht hinaus, sobald sie wieder da ist."
      : `${count} Nachrichten warten und gehen hinaus, sobald sie wieder da ist.`,
  nextTry: (time: string) => `Nächster Versuch in ${time}.`,
  trying: "Neuer Versuch läuft.",
  ended: {
    replaced: "Diese Seite wurde getrennt, weil Hearth an vielen anderen Orten offen ist.",
    "not understood": "Der Server und diese Seite verstehen einander nicht. Lade die Seite neu.",
  },
  connecting: "Verbindung wird aufgebaut",
  connectingLead: "Der Server lässt sich Zeit. Die Seite öffnet sich von selbst, sobald er antwortet.",
  notConnected: "Der Server ist nicht zu erreichen",
  notConnectedLead:
    "Sobald es eine Verbindung gibt, geht es von selbst weiter. Was du geschrieben hast, bleibt.",
  tryNow: "Jetzt versuchen",
  back: "Zurück zu den Kanälen",
  skip: "Zu den Nachrichten",
  panes: "Teile der Seite",
  servers: "Server",
  mentions: "Erwähnungen",
  markedRead: (server: string) => `In ${server} ist alles gelesen`,
};
