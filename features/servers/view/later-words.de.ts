// Texts of making and joining a server, in German.
export const german = {
  createServer: "Server anlegen",
  orJoin: "oder einem beitreten",
  inviteField: "Einladungslink oder Code",
  joinServer: "Beitreten",
  close: "Schließen",
  copyLink: "Link kopieren",
  nameHint: "Er beginnt mit einem Kanal, general. Alles lässt sich später ändern.",
  nameMissing: "Gib zuerst einen Namen ein.",
  inviteHint: "Der ganze Link, oder der Code an seinem Ende.",
  noInvite: "Das ist keine Einladung. Füge den Link ein, den du bekommen hast, oder den Code an seinem Ende.",
  startTitle: "Wo willst du reden?",
  startLead: "Leg einen Server für deine Leute an, oder tritt einem bei, zu dem du eingeladen wurdest.",
  newName: "Name des neuen Servers",
  newHint: "Den Namen kannst du später ändern. Er beginnt mit einem Kanal, general.",
  makeIt: "Anlegen",
  yourInvite: "Einladung, die du bekommen hast",
};
