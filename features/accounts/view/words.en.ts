// Texts of the user's own row, in English.
export const english = {
  you: "You",
  settings: "Settings",
  connecting: "Connecting again",
  presence: {
    online: "Online",
    idle: "Away",
    dnd: "Do not disturb",
    offline: "Offline",
  },
};
