// Texts of the pages of bots, in German.
import type { Words } from "../../../web/words/en.ts";

const list = new Intl.ListFormat("de");

export const german: Words["bots"] = {
  title: "Bots",
  lead: "Programme mit einem Konto. Sie dürfen, was ihre Rollen hier erlauben.",
  here: "Auf diesem Server",
  noneHere: "Auf diesem Server ist kein Bot.",
  holds: (roles) => `Hat ${list.format(roles)}`,
  holdsNone: "Hat außer @everyone keine Rolle",
  remove: "Entfernen",
  removeBot: "Bot entfernen",
  removeOf: (name) => `${name} entfernen`,
  removeTitle: (name, server) => `${name} von ${server} entfernen?`,
  removeLead: "Er geht sofort, und seine Befehle hier gehen mit. Was er geschrieben hat, bleibt.",
  own: "Deine Bots",
  noneOwn: "Du hast keine Bots.",
  make: "Neuer Bot",
  create: "Bot anlegen",
  full: (most) => `Eine Person kann ${most} Bots haben. Lösch erst einen.`,
  name: "Name",
  nameFirst: "Gib ihm zuerst einen Namen",
  description: "Was er macht",
  inServers: (count) =>
    count === 0 ? "auf keinem Server" : count === 1 ? "auf 1 Server" : `auf ${count} Servern`,
  actions: (name) => `Mehr zu ${name}`,
  add: "Hierher holen",
  addOf: (name) => `${name} auf diesen Server holen`,
  mayNotAdd: "Bots holt herein, wer den Server verwalten darf.",
  edit: "Name und Beschreibung ändern",
  editTitle: (name) => `${name} ändern`,
  save: "Bot speichern",
  tokenOf: (name) => `Token von ${name}`,
  newToken: "Neues Token",
  newTokenTitle: (name) => `Ein neues Token für ${name}?`,
  newTokenLead: "Das jetzige Token gilt sofort nicht mehr, und seine Verbindungen enden.",
  delete: "Bot löschen",
  deleteTitle: (name) => `${name} löschen?`,
  deleteLead:
    "Er verlässt alle seine Server, und sein Token gilt nicht mehr. Was er geschrieben hat, bleibt.",
};
