// Texts beside a link that works on this computer only, in German.
export const german = {
  thisComputerOnly: "Geht nur auf diesem Rechner. Setz PUBLIC_URL.",
  foundByName: "Starte Hearth neu, mit der Adresse, die von außen hierher führt, als Einstellung:",
  foundAtHome: (port: string) =>
    `Für Leute zu Hause reicht es, dass Hearth auf ihre Geräte hört. Sie öffnen es mit dem Namen dieses Rechners: http://NAME${port}`,
};
