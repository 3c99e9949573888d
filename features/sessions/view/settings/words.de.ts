// Texts of the password and device settings, in German.
export const german = {
  title: "Geräte",
  lead: "Wo du angemeldet bist. Melde ab, was du nicht kennst, und ändere dann dein Passwort.",
  here: "Dieses Gerät",
  others: "Andere Geräte",
  lastUsed: (time: string) => `Zuletzt benutzt ${time}`,
  signedIn: (time: string) => `Angemeldet ${time}`,
  end: "Abmelden",
  endNamed: (device: string) => `${device} abmelden`,
  endAll: (count: string, isOne: boolean) =>
    isOne ? "Das andere Gerät abmelden" : `${count} andere Geräte abmelden`,
  endAllTitle: "Überall sonst abmelden?",
  endAllLead:
    "Auf jedem Gerät außer diesem musst du dich neu anmelden. Was dort noch auf das Senden wartet, wird danach gesendet.",
  ended: (device: string) => `${device} ist abgemeldet`,
  allEnded: "Alle anderen Geräte sind abgemeldet",
  none: "Sonst bist du nirgends angemeldet.",
  unknown: "Eine App oder ein Programm",
  onSystem: (browser: string, system: string) => `${browser} auf ${system}`,
  current: "Jetziges Passwort",
  fresh: "Neues Passwort",
  freshHint: (least: number) =>
    `Mindestens ${least} Zeichen. Einen Satz merkt man sich leichter als ein Rätsel.`,
  change: "Passwort ändern",
  changeLead: "Alle anderen Geräte werden dabei abgemeldet; dieses bleibt.",
  changed: "Dein Passwort ist geändert. Alle anderen Geräte sind abgemeldet.",
};
