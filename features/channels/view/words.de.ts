// Texts of the list of channels, in German.
export const german = {
  channels: "Kanäle",
  back: "Zurück zu den Kanälen",
  members: "Mitglieder",
  muted: "stumm",
  locked: "für dich geschlossen",
  private: "privat",
  menu: "Menü des Kanals",
  menuOf: (channel: string) => `Menü von ${channel}`,
  createIn: (category: string) => `Kanal in ${category} anlegen`,
  moved: (channel: string, category: string, place: number, of: number) =>
    `${channel} ist jetzt ${place} von ${of} in ${category}`,
  notMoved: "Der Kanal ließ sich nicht verschieben. Dieses Hearth ist nicht zu erreichen.",
  noCategory: "keiner Kategorie",
  inRoom: (channel: string) => `In ${channel}`,
  micOff: "Mikrofon aus",
  deafened: "hört nicht zu",
  speaking: "spricht",
};
