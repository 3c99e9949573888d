// The words of the first run in German.
export const german = {
  names: { owner: "Dein Konto", house: "Dieses Hearth", server: "Erster Server", invite: "Leute einladen" },
  titles: {
    owner: "Mach dieses Hearth zu deinem",
    house: "Wer darf kommen?",
    server: "Ein erster Server",
    invite: "Hol Leute herein",
  },
  leads: {
    owner: "Dem ersten Konto gehört dieses Hearth: es kann alles ändern.",
    house: "Beides kannst du später in der Konsole ändern.",
    server: "Auf einem Server redet eine Gruppe. Er beginnt mit einem Kanal, general.",
    invite: "Wer diesen Link öffnet, kann ein Konto anlegen und beitreten. Er gilt sieben Tage.",
  },
  place: (number: number, of: number) => `Schritt ${number} von ${of}.`,
  code: "Einrichtungscode",
  codeHint:
    "Er steht dort, wo Hearth gestartet wurde, in einer eigenen Zeile. „hearth admin setup-code“ macht einen anderen.",
  emailHintWithoutMail:
    "Nur du siehst sie. „hearth admin reset-link“ macht dir einen Link für ein neues Passwort.",
  name: "Name dieses Hearth",
  nameHint: "Er steht oben auf den Seiten vor dem Anmelden und in Mails.",
  whoMayJoin: "Wer ein Konto anlegen darf",
  registration: { open: "Alle", invite: "Wer eine Einladung hat", closed: "Niemand" },
  registrationHint: {
    open: "Ein Konto braucht keine Einladung.",
    invite: "Wer ein Konto hat, kann Einladungen ausstellen.",
    closed: "Du kannst es ändern, wenn jemand kommen will.",
  },
  fixed: "Das ist dort festgelegt, wo der Server gestartet wurde.",
  serverName: "Name des Servers",
  serverHint: "Du kannst ihn später ändern.",
  makeServer: "Server anlegen",
  inviteLink: "Einladungslink",
  open: (server: string) => `${server} öffnen`,
  goOn: "Weiter",
  back: "Zurück",
  skip: "Den Rest überspringen",
  tooLateTitle: "Jemand war schneller",
  tooLateLead:
    "Dieses Hearth hat inzwischen jemanden, dem es gehört. Melde dich an, oder bitte um eine Einladung.",
  tooLateWithAccount:
    "Dieses Hearth hat inzwischen jemanden, dem es gehört. Dein Konto gibt es trotzdem, als gewöhnliches.",
};
