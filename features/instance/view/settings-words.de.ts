// Texts of the settings of the instance, in German.
import type { Words } from "../../../web/words/en.ts";

export const german: Words["instanceSettings"] = {
  title: "Name und Registrierung",
  lead: "Beides gilt sofort und für alle.",
  name: "Name",
  nameHint: "Auf der Seite, in Mails und in Benachrichtigungen.",
  registration: "Wer sich registrieren darf",
  registrations: {
    open: { label: "Alle", hint: "Ein Konto braucht keine Einladung." },
    invite: {
      label: "Wer eine Einladung hat",
      hint: "Ein Konto entsteht über eine Einladung auf einen Server.",
    },
    closed: { label: "Niemand", hint: "Wer ein Konto hat, behält es." },
  },
  fixed: "Beim Start des Servers festgelegt. Wer die Maschine betreibt, kann es dort ändern.",
};
