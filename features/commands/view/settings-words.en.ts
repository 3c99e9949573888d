// Texts of bot commands in the settings of a server, in English.
export const english = {
  commands: "Commands",
  commandsOf: (bot: string) => `Commands of ${bot}`,
  none: "It offers no commands here.",
  make: "New command",
  makeFor: (bot: string) => `New command of ${bot}`,
  offer: "Offer command",
  name: "Name",
  nameHint: "Letters, digits, - and _, at most 32. People type it after a slash.",
  nameFirst: "Give it a name first",
  description: "What it does",
  withdraw: "Withdraw",
  withdrawOf: (name: string) => `Withdraw /${name}`,
};
