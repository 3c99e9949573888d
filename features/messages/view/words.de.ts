// Texts of the room, in German.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("de");

export const german = {
  messages: "Nachrichten",
  newMessages: "Neue Nachrichten",
  fresh: "Neu",
  bot: "Bot",
  webhook: "Webhook",
  edited: "bearbeitet",
  sending: "Wird gesendet",
  sendAgain: "Noch einmal senden",
  discard: "Verwerfen",
  notSent: "Nicht gesendet.",
  rowName: (author: string, time: string) => `${author}, ${time}`,
  begins: (channel: string) => `Hier beginnt #${channel}`,
  beginsLead: "Sag das erste Wort.",
  cannotLoad: "Diese Nachrichten wurden nicht geladen",
  cannotLoadLead:
    "Der Server hat nicht geantwortet. Was du geschrieben hast, bleibt erhalten. Versuch es noch einmal, oder nenn dem Betreiber diese Nummer.",
  request: (id: string) => `Anfrage ${id}`,
  loading: "Nachrichten werden geladen",
  since: (time: string) => `seit ${time}`,
  cannotJump: "Das konnte nicht geladen werden. Versuch es noch einmal.",
  messageGone: "Diese Nachricht gibt es nicht mehr.",
  newSince: (count: number, isMore: boolean, time: string) =>
    `${numberOf(count)}${isMore ? "+" : ""} seit ${time}`,
  actions: "Aktionen zur Nachricht",
  more: "Mehr",
  delete: "Löschen",
  cannotReach: "Der Server ist nicht zu erreichen.",
  stillSending: "Wird immer noch gesendet",
  tooOld:
    "Die Nachricht ist über einen Tag alt und steht vielleicht schon da. Sieh nach, bevor du sie sendest oder verwirfst.",
  serverFault: "Der Server hat einen Fehler.",
  triedAgain: (wait: string) => `Nächster Versuch in ${wait}.`,
  tooFast: (wait: string) => `Das war zu schnell; warte ${wait}.`,
  files: (count: number) => (count === 1 ? "1 Datei" : `${count} Dateien`),
  originalGone: "Die ursprüngliche Nachricht wurde gelöscht",
  replyTo: (author: string, said: string) => `Antwort auf ${author}: ${said}`,
  blocked: "Blockierte Person",
  blockedMessages: (count: number) =>
    count === 1
      ? "Eine Nachricht von jemandem, den du blockierst."
      : `${count} Nachrichten von Leuten, die du blockierst.`,
  show: "Anzeigen",
  broken: "Diese Nachricht lässt sich nicht anzeigen.",
  showSpoiler: "Verborgenes zeigen",
  opensAnew: "(öffnet einen neuen Tab)",
  code: (language: string) => (language === "" ? "Code" : `Code: ${language}`),
  plainCode: "Text",
  copyCode: "Code kopieren",
  showLines: (count: number) => `Alle ${count} Zeilen zeigen`,
};
