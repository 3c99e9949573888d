// Texts of the dialogs and menus of channels, in German.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("de");

export const german = {
  create: "Kanal anlegen",
  settings: "Einstellungen des Kanals",
  delete: "Kanal löschen",
  deleteTitle: (channel: string) => `${channel} löschen`,
  deleteLead: "Alle Nachrichten und Dateien darin werden für alle gelöscht. Niemand kann sie zurückholen.",
  deleteVoiceLead: "Wer dort gerade redet, wird hinausgesetzt. Niemand kann den Raum zurückholen.",
  up: "Nach oben",
  down: "Nach unten",
  moveUp: "Den Kanal mit dem Fokus nach oben verschieben",
  moveDown: "Den Kanal mit dem Fokus nach unten verschieben",
  type: "Art",
  types: {
    text: { label: "Text", hint: "Nachrichten, Bilder und Dateien" },
    voice: { label: "Sprachraum", hint: "Reden und den Bildschirm teilen" },
  },
  name: "Name des Kanals",
  nameHint: "Kleinbuchstaben; Leerzeichen werden zu Bindestrichen.",
  withoutCategory: "Keine Kategorie",
  newCategory: "Neue Kategorie …",
  nameOfCategory: "Name der Kategorie",
  needsLiveKit: "Braucht einen LiveKit-Server.",
  privateChannel: "Privater Kanal",
  privateHint: "Nur die Rollen und Leute, die du auswählst, sehen ihn.",
  noRank:
    "Du hast keine Rolle über @everyone und kannst ihn darum nicht für andere schließen. Wem der Server gehört, kann es.",
  whoSees: "Wer ihn sehen kann",
  addMember: "Mitglied hinzufügen",
  ranksAbove: (role: string) => `${role} steht nicht unter dir`,
  seers: (count: number) =>
    count === 1 ? "1 Person wird ihn sehen" : `${numberOf(count)} Leute werden ihn sehen`,
  whatCan: (name: string) => `Was ${name} hier darf`,
  viewAs: "Als Rolle ansehen",
  role: "Rolle",
  viewedAs: (role: string) => `Du siehst diesen Kanal als ${role}`,
  stop: "Beenden",
  roleSeesNothing: (role: string, channel: string) => `${role} kann ${channel} nicht sehen.`,
  roleReads: (role: string, channel: string) => `${role} kann ${channel} lesen, hier aber nicht schreiben.`,
  roleWrites: (role: string) => `${role} kann hier schreiben. Solange du nur schaust, wird nichts gesendet.`,
  roleStaysOut: (role: string, room: string) => `${role} kann ${room} sehen, aber nicht hineingehen.`,
  roleListens: (role: string) => `${role} kann hier hineingehen, aber nicht reden.`,
  roleSpeaks: (role: string) => `${role} kann hier hineingehen und reden, aber keinen Bildschirm teilen.`,
  roleShares: (role: string) => `${role} kann hier hineingehen, reden und den Bildschirm teilen.`,
  rename: "Kategorie umbenennen",
  renameCategory: (category: string) => `${category} umbenennen`,
  foldAll: "Alle einklappen",
  nameFirst: "Gib ihm erst einen Namen",
  category: "Kategorie",
};
