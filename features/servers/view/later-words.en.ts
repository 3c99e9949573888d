// Texts of making and joining a server, in English.
export const english = {
  createServer: "Create server",
  orJoin: "or join one",
  inviteField: "Invite link or code",
  joinServer: "Join server",
  close: "Close",
  copyLink: "Copy link",
  nameHint: "It starts with one channel, general. You can change everything later.",
  nameMissing: "Type a name first.",
  inviteHint: "The whole link, or the code at its end.",
  noInvite: "That is no invite. Paste the link that you were sent, or the code at its end.",
  startTitle: "Where do you want to talk?",
  startLead: "Create a server for your people, or join one you were invited to.",
  newName: "Name of the new server",
  newHint: "You can change the name later. It starts with one channel, general.",
  makeIt: "Create the server",
  yourInvite: "Invite that you were sent",
};
