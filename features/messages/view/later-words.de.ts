// Texts of the marks over the list, and of the actions on a message, in German.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("de");

export const german = {
  jumpToPresent: "Zur Gegenwart",
  behind: "Neuere Nachrichten lassen sich noch nicht laden.",
  newCount: (count: number, isMore: boolean) =>
    `${numberOf(count)}${isMore ? "+" : ""} neue ${count === 1 && !isMore ? "Nachricht" : "Nachrichten"}`,
  jumpToFirst: "Zur ersten",
  jumpToDate: "Zu einem Datum springen",
  jump: "Springen",
  date: "Datum",
  dateFirst: "Wähle zuerst ein Datum.",
  jumpHint: "Führt zur ersten Nachricht dieses Tages oder zur nächsten danach.",
  nothingSince: "An diesem Tag und danach gibt es keine Nachrichten.",
  markAsRead: "Als gelesen markieren",
  said: (author: string, text: string) => `${author}: ${text}`,
  file: "eine Datei",
  days: "Tage",
  unreadCount: (count: number) => `${numberOf(count)} ungelesen`,
  reply: "Antworten",
  edit: "Bearbeiten",
  copyText: "Text kopieren",
  copyLink: "Link kopieren",
  markUnread: "Ab hier als ungelesen markieren",
  editMessage: "Nachricht bearbeiten",
  editKeys: "Enter speichert, Escape bricht ab",
  editKeysWithCtrl: "Strg und Enter speichern, Escape bricht ab",
  save: "Speichern",
  cancel: "Abbrechen",
  notSaved: "Nicht gespeichert: Der Server ist nicht zu erreichen. Was du geschrieben hast, bleibt.",
  tooLong: (length: number, most: number) => `${length} Zeichen; mehr als ${most} gehen nicht.`,
  deleted: "Nachricht gelöscht",
  undo: "Rückgängig",
  cannotEdit: (why: string) =>
    `Eine Korrektur wurde nicht gespeichert und bleibt bei ihrer Nachricht aufgehoben. ${why}`,
  cannotDelete: (why: string) => `Die Nachricht ist noch da. ${why}`,
  cannotMark: (why: string) => `Die Markierung bleibt, wie sie war. ${why}`,
};
