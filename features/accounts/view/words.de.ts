// What one's own row says, in German.
export const german = {
  you: "Du",
  settings: "Einstellungen",
  presence: {
    online: "Online",
    idle: "Abwesend",
    dnd: "Bitte nicht stören",
    offline: "Offline",
  },
};
