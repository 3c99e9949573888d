// Texts of the list of members and the cards of people, in German.
import { numberIn } from "../../../web/ui/words/numbers.ts";

export const german = {
  members: "Mitglieder",
  close: "Schließen",
  count: numberIn("de"),
  here: "Online",
  offline: "Offline",
  bot: "Bot",
  cannotLoad: "Die Mitglieder ließen sich nicht laden.",
  profile: "Profil",
  profileOf: (name: string) => `Profil von ${name}`,
  gone: "Diese Person teilt keinen Server mehr mit dir.",
  roles: "Rollen",
  owner: "Gehört der Server",
  badges: "Abzeichen",
  kick: "Entfernen",
  ban: "Sperren",
  kickTitle: (name: string) => `${name} entfernen`,
  banTitle: (name: string) => `${name} sperren`,
  kickLead: (name: string, server: string) =>
    `${name} verlässt ${server} sofort und kann mit einer Einladung wiederkommen.`,
  banLead: (name: string, server: string) =>
    `${name} verlässt ${server} sofort und kommt erst wieder herein, wenn die Sperre aufgehoben ist.`,
  reason: "Grund",
  reasonHint: "Freiwillig. Ihn sehen alle, die sperren dürfen.",
};
