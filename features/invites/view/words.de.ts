// Texts of the pages of invites, in German.
export const german = {
  members: (count: number) =>
    count === 1 ? "Hier redet ein Mensch." : `Hier reden ${count.toLocaleString("de")} Menschen.`,
  inviteTo: (server: string) => `Einladung zu ${server}`,
  inviter: "Eingeladen von",
  goodUntil: "Gültig bis",
  forGood: "Jemand sie beendet",
  left: (ms: number) => left(ms),
  join: "Beitreten",
  as: (name: string) => `Du trittst als ${name} bei.`,
  otherAccount: "Anderes Konto nehmen",
  invited: "Du bist eingeladen.",
  accountsNeed: {
    invite: "Neue Konten brauchen auf diesem Hearth eine Einladung.",
    closed: "Dieses Hearth nimmt keine neuen Konten an.",
  },
  create: "Konto anlegen",
  signIn: "Anmelden",
  endedTitle: "Diese Einladung gilt nicht mehr",
  endedLead:
    "Sie ist abgelaufen oder aufgebraucht. Frag die Person, die sie geschickt hat, nach einer neuen.",
  unknownTitle: "Diese Einladung gibt es nicht",
  unknownLead:
    "Vielleicht wurde sie zurückgezogen, oder ein Teil des Links ging verloren. Frag die Person, die sie geschickt hat.",
  code: "Code",
  another: "Eine andere?",
  anotherHint: "Ein Einladungslink oder der Code an seinem Ende.",
  open: "Öffnen",
  toServers: "Zu meinen Servern",
  unansweredTitle: "Die Einladung ließ sich nicht nachschlagen",
  stepsTitle: "Erste Schritte",
  stepsHide: "Diese Schritte ausblenden",
  stepInvite: "Leute einladen",
  stepHello: "Hallo sagen",
  stepChannel: "Einen Kanal anlegen",
  stepIcon: "Ein Bild geben",
  stepDone: "erledigt",
};

function left(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return `noch ${unit(minutes, "minute")}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `noch ${unit(hours, "hour")}` : `noch ${unit(Math.floor(hours / 24), "day")}`;
}

function unit(count: number, of: "minute" | "hour" | "day"): string {
  return new Intl.NumberFormat("de", { style: "unit", unit: of, unitDisplay: "long" }).format(count);
}
