// Texts of the list of members and the cards of people, in English.
export const english = {
  members: "Members",
  offline: "Offline",
  bot: "Bot",
  roles: "Roles",
};
