// Texts of the dialogs and menus of channels, in German.
export const german = {
  create: "Kanal anlegen",
  edit: "Kanal bearbeiten",
  editTitle: (channel: string) => `${channel} bearbeiten`,
  save: "Änderungen speichern",
  delete: "Kanal löschen",
  deleteTitle: (channel: string) => `${channel} löschen`,
  deleteLead: "Alle Nachrichten und Dateien darin werden für alle gelöscht. Niemand kann sie zurückholen.",
  deleteVoiceLead: "Wer dort gerade redet, wird hinausgesetzt. Niemand kann den Raum zurückholen.",
  up: "Nach oben",
  down: "Nach unten",
  moveUp: "Den Kanal mit dem Fokus nach oben verschieben",
  moveDown: "Den Kanal mit dem Fokus nach unten verschieben",
  type: "Art des Kanals",
  types: {
    text: { label: "Text", hint: "Nachrichten, Bilder und Dateien." },
    voice: { label: "Sprache", hint: "Ein Raum zum Reden, auch mit geteiltem Bildschirm." },
  },
  name: "Name des Kanals",
  nameFirst: "Gib ihm erst einen Namen",
  category: "Kategorie",
  categoryHint: "Freiwillig. Eine vorhandene oder eine neue.",
};
