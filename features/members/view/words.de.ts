// Texts of the list of members and the cards of people, in German.
export const german = {
  members: "Mitglieder",
  offline: "Offline",
  bot: "Bot",
  roles: "Rollen",
};
