// Texts of the role settings, in German.
import type { Words } from "../../../web/words/en.ts";

const rights: Words["roles"]["rights"] = {
  VIEW_CHANNEL: { name: "Kanäle sehen", means: "Nachrichten lesen und sehen, wer in einem Sprachraum ist" },
  SEND_MESSAGES: { name: "Nachrichten schreiben", means: "Schreiben, antworten und reagieren" },
  MANAGE_MESSAGES: {
    name: "Nachrichten verwalten",
    means: "Nachrichten anderer löschen, alle erwähnen",
  },
  KICK_MEMBERS: {
    name: "Mitglieder entfernen",
    means: "Rangniedere hinauswerfen; mit einer Einladung können sie wiederkommen",
  },
  BAN_MEMBERS: { name: "Mitglieder sperren", means: "Rangniedere hinauswerfen und draußen halten" },
  MANAGE_CHANNELS: {
    name: "Kanäle verwalten",
    means: "Kanäle und ihre Webhooks anlegen, umbenennen, ordnen und löschen",
  },
  MANAGE_SERVER: {
    name: "Server verwalten",
    means: "Rollen, Einladungen, Bots und die Termine anderer",
  },
  CONNECT_VOICE: { name: "Sprachräume betreten", means: "Sprachräume betreten und zuhören" },
  SPEAK_VOICE: { name: "Sprechen", means: "Mikrofon und Kamera benutzen" },
  SHARE_SCREEN: { name: "Bildschirm teilen", means: "In einem Sprachraum einen Bildschirm zeigen" },
  ADMINISTRATOR: { name: "Administration", means: "Alles von oben, gleich wie die Schalter stehen" },
};

export const german: Words["roles"] = {
  title: "Rollen",
  lead: "Höhere Rollen stehen über niedrigeren.",
  orderHint: "Zum Umordnen ziehen, oder Leertaste, Pfeiltasten, Enter.",
  order: "Reihenfolge",
  move: (name) => `${name} verschieben`,
  reordered: "Die neue Reihenfolge ist gespeichert",
  noRoom: "Unter deiner eigenen Rolle ist dafür kein Platz. Jemand über ihr kann sie erst höher setzen.",
  make: "Neue Rolle",
  newName: "Neue Rolle",
  full: (most) => `Ein Server kann ${most} Rollen haben. Lösch erst eine.`,
  noRank:
    "Du hast keine Rolle über @everyone und kannst deshalb keine anlegen. Wem der Server gehört, kann es.",
  name: "Name",
  everyoneName: "Diese Rolle haben alle auf dem Server. Ihr Name und ihr Platz bleiben.",
  colour: "Farbe",
  noColour: "Keine Farbe",
  readsAs: [
    "Auf der Seite steht der Name so: ",
    ". Hearth passt die Helligkeit an, damit er in jedem Thema lesbar bleibt.",
  ],
  readsPlain: ": Eine Rolle ohne Farbe lässt die Namen, wie sie sind.",
  may: "Rechte",
  count: (all, on) => `${all} Rechte, ${on} davon an`,
  fromEveryone: (means) => `${means} · von @everyone: an`,
  above: "Diese Rolle steht nicht unter deiner. Wer über ihr steht, kann sie ändern.",
  beyond: "Du kannst nur geben, was du selbst darfst; wem der Server gehört, kann dieses geben",
  remove: "Rolle löschen",
  removeTitle: (name) => `Rolle ${name} löschen?`,
  removeLead:
    "Alle, die sie haben, verlieren sie und was sie erlaubt. Das lässt sich nicht rückgängig machen.",
  rights,
};
