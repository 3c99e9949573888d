// Texts of uploads, in German.
import type { FileProblem } from "../../../client/uploads.ts";

const problems: Readonly<Record<Exclude<FileProblem, "too big">, string>> = {
  type: "Solche Dateien werden nicht angenommen. Ein Zip-Archiv schon.",
  empty: "Die Datei ist leer.",
  name: "Ihr Name ist zu lang.",
};

/** Keyed by the codes of the server's refusals, whose own sentences are English. */
const refusals: Readonly<Record<string, string>> = {
  unsupported_type:
    "Ihr Inhalt passt nicht zum Namen, ist beschädigt, oder wird nicht angenommen. Gib ihr die richtige Endung, speichere sie neu, oder packe sie in ein Zip-Archiv.",
  too_large: "Die Datei ist zu groß, oder für alle deine Dateien ist kein Platz mehr.",
  invalid_request: "Ihr Name enthält unsichtbare Zeichen oder ist zu lang. Benenne sie um.",
  unavailable: "Der Server kann gerade keine Dateien ablegen. Versuche es später noch einmal.",
  rate_limited: "Zu viele auf einmal. Warte einen Augenblick.",
  unauthenticated: "Du bist nicht mehr angemeldet.",
  internal: "Der Server hat einen Fehler gemacht.",
};

export const german = {
  files: "Dateien zum Senden",
  drop: "Lass die Dateien hier los",
  waiting: "Wartet auf die anderen",
  progress: ({ sent, all }: { sent: string; all: string }) => `${sent} von ${all}`,
  sending: (name: string) => `${name} wird hochgeladen`,
  cancel: (name: string) => `Hochladen von ${name} abbrechen`,
  remove: (name: string) => `${name} entfernen`,
  tryAgain: (name: string) => `${name} noch einmal senden`,
  unreachable: "Nicht gesendet: keine Verbindung.",
  notLoaded:
    "Nicht gesendet: Dieser Teil der Seite ist nicht angekommen. Versuch es noch einmal; sonst lade die Seite neu und wähle die Datei wieder aus.",
  refused: ({ code, message }: { code: string; message: string }) => refusals[code] ?? message,
  failed: (why: string) => `Nicht gesendet. ${why}`,
  tooBig: (size: string, most: string) => `Zu groß: ${size}. Höchstens ${most} sind erlaubt.`,
  problem: (problem: Exclude<FileProblem, "too big">): string => problems[problem],
  tooMany: (most: number, left: number) =>
    `Eine Nachricht nimmt ${most} Dateien auf. ${left === 1 ? "Eine blieb" : `${left} blieben`} draußen.`,
  noFolders: "Ordner lassen sich nicht senden. Ein Zip-Archiv schon.",
};
