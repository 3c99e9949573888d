// Texts of the profile page, in English.
export const english = {
  title: "Profile",
  lead: "What others see of you, in every server.",
  displayName: "Display name",
  displayNameHint: (username: string) => `People can always find you as @${username}, which stays.`,
  status: "Status",
  statusHint: "One line below your name: what you are up to.",
  bio: "About you",
  bioHint: "Shown on your card.",
  colour: "Colour",
  ownColour: "A colour of your own",
  ownColourHint:
    "For your name, where no role has one. Hearth adjusts its lightness so that it stays legible in every theme.",
  badges: "Badges",
  badgesHint: "Given by those who run this Hearth.",
  preview: "Preview",
  previewName: (name: string) => `The card of ${name} as others see it`,
  account: "Account",
  emailHint: "Nobody else sees it.",
  since: (date: string) => `Here since ${date}`,
  accountStays: "Changing the address and closing the account are not possible yet.",
};
