// Texts about servers, in English.
export const english = {
  servers: "Servers",
  all: "All servers",
  add: "Add a server",
  name: "Server name",
  or: "or",
  join: "Join",
  serverMenu: "Server menu",
};
