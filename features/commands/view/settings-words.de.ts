// Texts of bot commands in the settings of a server, in German.
import type { Words } from "../../../web/words/en.ts";

export const german: Words["botCommands"] = {
  commands: "Befehle",
  commandsOf: (bot) => `Befehle von ${bot}`,
  none: "Er bietet hier keine Befehle an.",
  make: "Neuer Befehl",
  makeFor: (bot) => `Neuer Befehl von ${bot}`,
  offer: "Befehl anbieten",
  name: "Name",
  nameHint: "Buchstaben, Ziffern, - und _, höchstens 32. Getippt wird er nach einem Schrägstrich.",
  nameFirst: "Gib ihm zuerst einen Namen",
  description: "Was er macht",
  withdraw: "Zurückziehen",
  withdrawOf: (name) => `/${name} zurückziehen`,
};
