// Texts of the password reset, in German.
export const german = {
  askTitle: "Passwort vergessen?",
  askLead: "Gib die E-Mail-Adresse deines Kontos ein, dann kommt ein Link, mit dem du ein neues setzt.",
  noMail:
    "Dieses Hearth verschickt keine Mails. Frag einen seiner Admins: sie können dir einen Link machen, mit dem du ein neues Passwort setzt.",
  email: "E-Mail",
  emailShape: "Eine E-Mail-Adresse sieht so aus: name@example.org.",
  ask: "Link schicken",
  askAgain: "Einen anderen Link anfordern",
  sentTitle: "Schau in deine Mails",
  sentLead: (to: string) =>
    `Wenn ein Konto die Adresse ${to} hat, ist ein Link unterwegs. Er gilt eine Stunde, und einmal.`,
  newTitle: "Ein neues Passwort",
  newLead: "Es gilt ab sofort. Überall, wo du angemeldet bist, wirst du abgemeldet.",
  newPassword: "Neues Passwort",
  passkeys: "Auch alle Passkeys entfernen",
  passkeysHint:
    "Ein Passkey öffnet das Konto ohne das Passwort. Schalte das ein, wenn jemand anderes hineingekommen sein könnte; deine kannst du neu anlegen.",
  set: "Passwort setzen",
  doneTitle: "Dein Passwort ist gesetzt",
  doneLead: "Melde dich damit an.",
  endedTitle: "Dieser Link gilt nicht mehr",
  endedLead: "Er wurde schon benutzt oder ist älter als eine Stunde.",
  signIn: "Anmelden",
  back: "Zurück zum Anmelden",
};
