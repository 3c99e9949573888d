// Texts of calls that ring, in German.
import type { english } from "./words.en.ts";

const listed = new Intl.ListFormat("de");

export const german: typeof english = {
  call: "Anrufen",
  ringsAlready: "Es klingelt schon",
  isCalling: (name) => `${name} ruft an`,
  direct: "Direkter Anruf",
  since: (where, seconds) => `${where}, ${seconds} s`,
  answer: "Annehmen",
  decline: "Ablehnen",
  calling: (name) => `${name} wird angerufen …`,
  declined: (name) => `${name} hat abgelehnt`,
  missed: (name) => `${name} hat nicht abgenommen`,
  nobodyCame: "Niemand hat abgenommen",
  areTalking: (names) =>
    names.length === 1 ? `${names[0]} ist im Anruf` : `${listed.format(names)} sind im Anruf`,
};
