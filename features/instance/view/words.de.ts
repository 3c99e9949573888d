// What the page says of an instance that does not answer, in German.
export const german = {
  unreachedTitle: "Keine Antwort",
  unreachedLead:
    "Dieses Hearth ist nicht zu erreichen. Prüfe deine Verbindung; vielleicht startet es auch gerade neu.",
};
