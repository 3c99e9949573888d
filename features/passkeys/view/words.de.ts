// Texts about passkeys, in German.
export const german = {
  signIn: "Mit einem Passkey anmelden",
  orPassword: "oder mit deinem Passwort",
  atLocalhost: (host: string) =>
    `Bei ${host} gehen Passkeys nicht. Das hier führt zu localhost, wo sie gehen.`,
  cancelled: "Es wurde kein Passkey benutzt. Versuch es noch einmal, oder nimm dein Passwort.",
  unknown: "Dieser Passkey öffnet hier nichts mehr. Nimm dein Passwort.",
  noBrowser: "Dieser Browser hat keine Passkeys. Nimm dein Passwort.",
  noAddress: "Passkeys brauchen eine sichere Verbindung und eine Adresse mit Namen. Nimm dein Passwort.",
  offerTitle: "Nächstes Mal ohne Passwort",
  offerLead:
    "Ein Passkey lebt auf diesem Gerät und öffnet sich mit Finger, Gesicht oder PIN. Nichts zu merken, nichts zu stehlen.",
  thisDevice: "Dieses Gerät",
  canKeep: "Kann einen Passkey aufbewahren",
  make: "Passkey anlegen",
  notNow: "Jetzt nicht",
  notMade: "Es wurde kein Passkey angelegt. Versuch es noch einmal, oder später in deinen Einstellungen.",
};
