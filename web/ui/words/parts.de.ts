// The words of shared controls in German.
import type { Words } from "../../words/en.ts";
import { numberIn } from "./numbers.ts";

const numberOf = numberIn("de");

export const german: Words["parts"] = {
  tryAgain: "Noch einmal versuchen",
  tryAgainNow: "Jetzt kann es noch einmal versucht werden.",
  wait: (time) => `Zu viele Versuche. Warte ${time}.`,
  unreachable: "Der Server ist nicht zu erreichen. Nichts ist verloren; versuch es noch einmal.",
  failed: (requestId) =>
    `Auf dem Server ging etwas schief. Nichts ist verloren; versuch es noch einmal.${requestId && ` (Anfrage ${requestId})`}`,
  loading: "Wird geladen",
  slow: "Die Seite ist unterwegs. Sie öffnet sich von selbst, sobald sie da ist.",
  fault: "Dieser Teil der Seite ist ausgefallen. Nichts Gesendetes oder Gespeichertes ist verloren.",
  notLoaded:
    "Dieser Teil der Seite ist nicht angekommen: Es gibt keine Verbindung, oder Hearth hat eine neuere Fassung. Angefangene Nachrichten bleiben.",
  reloadPart: "Diesen Teil neu laden",
  reloadPage: "Seite neu laden",
  copy: "Kopieren",
  copied: "Kopiert",
  howToSetUp: "Wie man das einrichtet",
  notCopied: "Der Browser erlaubt das Kopieren nicht. Markiere den Text und kopiere ihn von Hand.",
  shownOnce: "Das siehst du nicht noch einmal. Kopiere es jetzt und halte es geheim.",
  cancel: "Abbrechen",
  typedIsLost: "Was du hier getippt hast, ginge verloren.",
  discardTyped: "Verwerfen",
  goOnTyping: "Weiter tippen",
  typeName: (name) => `Gib „${name}“ ein, um fortzufahren`,
  typeNameFirst: "Gib zuerst den Namen ein",
  more: "Mehr anzeigen",
  unread: "ungelesen",
  mentions: (count) => (count === 1 ? "1 Erwähnung" : `${numberOf(count)} Erwähnungen`),
  people: (count) => (count === 1 ? "1 Person" : `${numberOf(count)} Personen`),
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
  ofField: (said) =>
    ofField.get(said) ?? counted(said) ?? (/^\p{Lu}/u.test(said) ? said : `Der Server sagt: ${said}`),
  ownColour: "Andere Farbe",
};

const ofField = new Map([
  ["must not be empty", "Das darf nicht leer sein."],
  ["must not hold invisible or direction-changing characters", "Unsichtbare Zeichen gehen hier nicht."],
  ["must be an http or https address", "Das muss eine Adresse mit http oder https sein."],
  ["must be an https address", "Das muss eine Adresse mit https sein."],
  ["must be one emoji or an http or https address", "Das muss ein Emoji sein, oder eine Adresse mit https."],
  ["must be a colour like #33aaff", "Das muss eine Farbe wie #33aaff sein."],
  ["must be an e-mail address", "Das muss eine E-Mail-Adresse sein."],
  ["must be a time of day from 00:00 to 23:59", "Das muss eine Uhrzeit von 00:00 bis 23:59 sein."],
  [
    "must be 1 to 32 letters, digits, dashes or underscores",
    "Nimm 1 bis 32 Buchstaben ohne Umlaute, Ziffern, Binde- oder Unterstriche.",
  ],
]);

function counted(said: string): string | undefined {
  const [, side, count] = /^must (?:be|have) at (most|least) (\d+) characters$/.exec(said) ?? [];
  if (count === undefined) return undefined;
  return `Das muss ${side === "most" ? "höchstens" : "mindestens"} ${count} Zeichen haben.`;
}
