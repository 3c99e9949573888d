// Texts about servers, in German.
export const german = {
  servers: "Server",
  add: "Server hinzufügen",
  name: "Name des Servers",
  or: "oder",
  join: "Beitreten",
  serverMenu: "Menü des Servers",
};
