// Texts about voice, in German.
export const german = {
  voice: "Sprache",
  join: "Beitreten",
  joining: "Trittst bei",
  reconnecting: "Verbindet neu",
  inRoom: (room: string) => `In ${room}`,
  speaking: "Spricht",
  muted: "Stumm",
  deafened: "Hört nicht zu",
};
