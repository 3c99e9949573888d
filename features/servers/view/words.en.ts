// Texts about servers, in English.
export const english = {
  servers: "Servers",
  add: "Add a server",
  name: "Server name",
  or: "or",
  join: "Join",
  serverMenu: "Server menu",
};
