// Texts of the server settings, in German.
import type { Words } from "../../../web/words/en.ts";

const number = new Intl.NumberFormat("de");

export const german: Words["serverSettings"] = {
  title: "Servereinstellungen",
  backTo: (name) => `Zurück zu ${name}`,
  content: "Inhalt",
  record: "Kalender",
  notYours: "Diese Seite darfst du nicht benutzen.",
  whoCan:
    "Das darf, wem der Server gehört, und wessen Rollen es erlauben. Sie können dir auch so eine Rolle geben.",
  overview: "Übersicht",
  overviewLead: "Was alle auf dem Server von ihm sehen.",
  name: "Name",
  looks: "Vorschau",
  ownerOnly: "Das kann nur ändern, wem der Server gehört.",
  end: "Löschen",
  delete: "Server löschen",
  deleteLead: "Löscht den Server für alle. Es gibt keinen Weg zurück.",
  deleteTitle: (name) => `${name} löschen?`,
  deleteLoses: (channels, people) =>
    `Für immer verloren: ${channels === 1 ? "1 Kanal" : `${number.format(channels)} Kanäle`} mit allen Nachrichten, die Rollen, Einladungen und Termine, und der Ort, an dem ${people === 1 ? "1 Person redet" : `${number.format(people)} Personen reden`}.`,
};
