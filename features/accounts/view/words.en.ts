// What one's own row says, in English.
export const english = {
  you: "You",
  settings: "Settings",
  presence: {
    online: "Online",
    idle: "Away",
    dnd: "Do not disturb",
    offline: "Offline",
  },
};
