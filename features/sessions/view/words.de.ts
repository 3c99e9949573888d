// Texts of the sign-in and registration pages, in German.
export const german = {
  signIn: "Anmelden",
  signInTitle: "Willkommen zurück",
  signInLead: "Melde dich an, um weiterzumachen, wo du warst.",
  signInToJoin: "Melde dich an, dann öffnet sich die Einladung.",
  identifier: "E-Mail oder Benutzername",
  password: "Passwort",
  showPassword: "Passwort zeigen",
  hidePassword: "Passwort verbergen",
  capsLock: "Die Feststelltaste ist an.",
  fillBoth: "Gib deinen Namen und dein Passwort ein.",
  forgot: "Passwort vergessen?",
  create: "Konto anlegen",
  createAccount: "Konto anlegen",
  newHere: "Neu hier?",
  haveOne: "Du hast ein Konto?",
  registerTitle: "Ein Konto anlegen",
  registerLead: "Es lebt nur auf diesem Hearth. Keine Telefonnummer, kein Tracking.",
  registerToJoin: (server = "dem Server deiner Einladung", inviter?: string) =>
    `Damit trittst du ${server} bei${inviter ? `, eingeladen von ${inviter},` : ""} und bist gleich in seinem Kanal. Es lebt nur auf diesem Hearth.`,
  closedTitle: "Keine neuen Konten",
  closedLead: "Dieses Hearth nimmt keine neuen Konten an. Ändern können das seine Admins.",
  email: "E-Mail",
  emailHint: "Nur du siehst sie. Sie bringt dir ein vergessenes Passwort zurück.",
  emailHintWithoutMail: "Nur du siehst sie. Für ein neues Passwort können dir Admins einen Link machen.",
  username: "Benutzername",
  usernameHint: (least: number, most: number) =>
    `${least} bis ${most} Buchstaben, Ziffern, Punkte, Binde- oder Unterstriche.`,
  displayName: "Anzeigename",
  displayNameHint: "Was andere sehen. Du kannst ihn jederzeit ändern.",
  passwordHint: (least: number) => `Mindestens ${least} Zeichen. Lang ist besser als verzwickt.`,
  weak: {
    common: "Viele benutzen dieses Passwort, es wird als Erstes geraten. Wähle ein anderes.",
    "own name": "Das ist dein eigener Name, er wird als Erstes geraten. Wähle etwas anderes.",
  },
  invite: "Einladungslink oder Code",
  inviteHint: "Neue Konten brauchen hier eine Einladung. Wer ein Konto hat, kann eine ausstellen.",
  inviteMissing:
    "Das ist keine Einladung. Füge den Link ein, den du bekommen hast, oder den Code an seinem Ende.",
  inviteEnded: "Diese Einladung gilt nicht mehr. Frag nach einer neuen.",
  faults: {
    emailMissing: "Gib deine E-Mail-Adresse ein.",
    emailShape: "Eine E-Mail-Adresse sieht so aus: name@example.org.",
    usernameLength: "Ein Benutzername hat 2 bis 32 Zeichen.",
    usernameSigns:
      "Nimm nur Buchstaben ohne Umlaute, Ziffern, Punkte, Binde- und Unterstriche. Im Anzeigenamen darf alles stehen.",
    usernameReserved: "Dieser Name ruft alle, also kann ihn niemand haben. Nimm einen anderen.",
    displayNameMissing: "Gib den Namen ein, den andere sehen.",
    displayNameLength: "Zu lang: nimm höchstens 64 Zeichen.",
    passwordShort: "Zu kurz: nimm mindestens 8 Zeichen.",
    passwordLong: "Zu lang: nimm höchstens 256 Zeichen.",
  },
  wrong: "Name und Passwort passen nicht zusammen. Prüfe die Feststelltaste, oder",
  resetIt: "setz dein Passwort neu",
  signedOutTitle: "Du wurdest abgemeldet",
  signedOutLead:
    "Melde dich an, um hier weiterzumachen. Angefangene Nachrichten bleiben; was du in einem Formular geändert und nicht gespeichert hast, nicht.",
  signedOutBar: "Du bist abgemeldet. Angefangene Nachrichten bleiben.",
  signOut: "Abmelden",
  unsent: (count: number) =>
    count === 1
      ? "Eine Nachricht von dir ist noch nicht gesendet. Sie ist verloren, wenn du dich abmeldest."
      : `${count} Nachrichten von dir sind noch nicht gesendet. Sie sind verloren, wenn du dich abmeldest.`,
  drafts: (count: number) =>
    count === 1
      ? "In einem Kanal hast du etwas geschrieben und nicht gesendet. Es geht verloren, wenn du dich abmeldest."
      : `In ${count} Kanälen hast du etwas geschrieben und nicht gesendet. Es geht verloren, wenn du dich abmeldest.`,
  notSignedOut: "Der Server war nicht zu erreichen, um deine Sitzung zu beenden. Du bist noch angemeldet.",
  signOutAnyway: "Abmelden und verlieren",
  stay: "Bleiben",
  leave: "Gehen und vergessen, was hier aufbewahrt ist",
};
