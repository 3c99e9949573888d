// Texts of the list of members and of profiles, in German.
import { numberIn } from "../../../web/ui/words/numbers.ts";

export const german = {
  close: "Schließen",
  count: numberIn("de"),
  here: "Online",
  cannotLoad: "Die Mitglieder ließen sich nicht laden.",
  profile: "Profil",
  profileOf: (name: string) => `Profil von ${name}`,
  menuOf: (name: string) => `Menü von ${name}`,
  gone: "Diese Person teilt keinen Server mehr mit dir.",
  hereSince: (day: string) => `Hier seit ${day}`,
  about: "Über",
  more: "Mehr",
  owner: "Gehört der Server",
  addRole: "Rolle hinzufügen",
  removeRole: (role: string) => `${role} entfernen`,
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
