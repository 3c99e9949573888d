// Texts about voice, in English.
export const english = {
  voice: "Voice",
  join: "Join",
  joining: "Joining",
  reconnecting: "Connecting again",
  inRoom: (room: string) => `In ${room}`,
  speaking: "Speaking",
  muted: "Muted",
  deafened: "Does not listen",
};
