// Texts of the profile page, in German.
export const german = {
  title: "Profil",
  lead: "Was andere von dir sehen, auf jedem Server.",
  displayName: "Anzeigename",
  displayNameHint: (username: string) => `Als @${username} findet man dich immer; das bleibt.`,
  status: "Status",
  statusHint: "Eine Zeile unter deinem Namen: was du gerade machst.",
  bio: "Über dich",
  bioHint: "Steht auf deiner Karte.",
  colour: "Farbe",
  ownColour: "Eine eigene Farbe",
  ownColourHint:
    "Für deinen Namen, wo keine Rolle eine hat. Hearth passt die Helligkeit an, damit sie in jedem Thema lesbar bleibt.",
  badges: "Abzeichen",
  badgesHint: "Vergeben von denen, die dieses Hearth betreiben.",
  preview: "Vorschau",
  previewName: (name: string) => `Die Karte von ${name}, wie andere sie sehen`,
  account: "Konto",
  emailHint: "Sieht sonst niemand.",
  since: (date: string) => `Hier seit ${date}`,
  accountStays: "Die Adresse zu ändern oder das Konto zu schließen ist noch nicht möglich.",
};
