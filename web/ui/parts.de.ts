// What the small parts that all views share say, in German.
import type { Words } from "../words/en.ts";

export const german: Words["parts"] = {
  tryAgain: "Noch einmal versuchen",
  tryAgainNow: "Jetzt kann es noch einmal versucht werden.",
  loading: "Wird geladen",
  slow: "Die Seite ist unterwegs. Sie öffnet sich von selbst, sobald sie da ist.",
  fault: "Dieser Teil der Seite ist ausgefallen. Nichts Gesendetes oder Gespeichertes ist verloren.",
  notLoaded:
    "Dieser Teil der Seite ist nicht angekommen: Es gibt keine Verbindung, oder Hearth hat eine neuere Fassung. Was du geschrieben hast, bleibt.",
  reloadPart: "Diesen Teil neu laden",
  reloadPage: "Seite neu laden",
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Der Browser erlaubt das Kopieren nicht. Markiere den Text und kopiere ihn von Hand.",
  shownOnce: "Das siehst du nicht noch einmal. Kopiere es jetzt und halte es geheim.",
  cancel: "Abbrechen",
  typedIsLost: "Was du hier getippt hast, ginge verloren.",
  discardTyped: "Verwerfen",
  goOnTyping: "Weiter tippen",
  typeName: (name) => `Gib „${name}“ ein, um fortzufahren`,
  typeNameFirst: "Gib zuerst den Namen ein",
  more: "Mehr anzeigen",
  people: (count) => (count === 1 ? "1 Person" : `${new Intl.NumberFormat("de").format(count)} Personen`),
  colours: {
    rust: "Rost",
    ochre: "Ocker",
    moss: "Moos",
    verdigris: "Grünspan",
    blue: "Blau",
    violet: "Violett",
    rose: "Rosa",
    grey: "Grau",
  },
  ownColour: "Andere Farbe",
};
