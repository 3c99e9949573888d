// Texts of the user's own row, in German.
export const german = {
  you: "Du",
  settings: "Einstellungen",
  connecting: "Verbindet sich neu",
  presence: {
    online: "Online",
    idle: "Abwesend",
    dnd: "Bitte nicht stören",
    offline: "Offline",
  },
};
