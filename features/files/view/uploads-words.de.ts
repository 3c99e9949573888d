// What is said of files on their way, in German.
import type { FileProblem } from "../../../client/uploads.ts";

const problems: Readonly<Record<Exclude<FileProblem, "too big">, string>> = {
  type: "Solche Dateien werden nicht angenommen. Ein Zip-Archiv schon.",
  empty: "Die Datei ist leer.",
  name: "Ihr Name ist zu lang.",
};

export const german = {
  files: "Dateien zum Senden",
  drop: "Lass die Dateien hier los",
  waiting: "Wartet auf die anderen",
  progress: ({ sent, all }: { sent: string; all: string }) => `${sent} von ${all}`,
  sending: (name: string) => `${name} wird hochgeladen`,
  cancel: (name: string) => `Hochladen von ${name} abbrechen`,
  remove: (name: string) => `${name} herausnehmen`,
  tryAgain: (name: string) => `${name} noch einmal senden`,
  unreachable: "Nicht gesendet: keine Verbindung.",
  failed: (why: string) => `Nicht gesendet. ${why}`,
  tooBig: (size: string, most: string) => `Zu groß: ${size}. Höchstens ${most} sind erlaubt.`,
  problem: (problem: Exclude<FileProblem, "too big">): string => problems[problem],
  tooMany: (most: number, left: number) =>
    `Eine Nachricht nimmt ${most} Dateien auf. ${left === 1 ? "Eine blieb" : `${left} blieben`} draußen.`,
  noFolders: "Ordner lassen sich nicht senden. Ein Zip-Archiv schon.",
};
