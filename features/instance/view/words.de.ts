// Texts about an instance that does not answer, in German.
export const german = {
  inClear:
    "Was du hier tippst, geht unverschlüsselt hinaus, und dein Browser bleibt vielleicht nicht angemeldet. Geh zu",
  unreachedTitle: "Keine Antwort",
  unreachedLead:
    "Dieses Hearth ist nicht zu erreichen. Prüfe deine Verbindung; vielleicht startet es auch gerade neu.",
};
