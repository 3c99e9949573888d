// Texts about events, in German.
import type { Words } from "../../../web/words/en.ts";

const number = new Intl.NumberFormat("de");

export const german: Words["schedule"] = {
  events: "Termine",
  eventsOf: (server) => `Termine von ${server}`,
  lead: "Was der Server vorhat. Alle Mitglieder sehen es und sagen, ob sie kommen.",
  coming: "Demnächst",
  over: "In der letzten Woche vorbei",
  none: "Nichts ist geplant.",
  zone: (zone) => `Die Zeiten sind in deiner Zeitzone: ${zone}.`,
  plan: "Termin planen",
  planIt: "Termin anlegen",
  editTitle: "Termin ändern",
  save: "Termin speichern",
  title: "Titel",
  titleFirst: "Gib ihm zuerst einen Titel",
  description: "Worum es geht",
  starts: "Beginn",
  startFirst: "Sag, wann er beginnt",
  ends: "Ende (falls bekannt)",
  backwards: "Das Ende muss nach dem Beginn kommen.",
  channel: "Wo",
  noChannel: "In keinem Kanal",
  voiceRoom: (name) => `${name} (Sprachraum)`,
  in: (name) => `in #${name}`,
  inRoom: (name) => `in ${name}`,
  comingTo: (title) => `Kommst du zu ${title}?`,
  attendance: {
    going: (count) => `Dabei ${number.format(count)}`,
    maybe: (count) => `Vielleicht ${number.format(count)}`,
    no: (count) => `Nicht dabei ${number.format(count)}`,
  },
  isOver: "Dieser Termin ist vorbei.",
  editOf: (title) => `${title} ändern`,
  callOff: "Termin absagen",
  callOffOf: (title) => `${title} absagen`,
  callOffTitle: (title) => `${title} absagen?`,
  callOffLead: "Der Termin verschwindet für alle, mit allen Antworten.",
};
