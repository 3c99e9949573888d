// Texts beside a link that works on this computer only, in English.
export const english = {
  thisComputerOnly: "Works on this computer only. Set PUBLIC_URL.",
  foundByName: "Start Hearth again with the address that leads here from outside as a setting:",
  foundAtHome: (port: string) =>
    `For people at home it is enough that Hearth listens to their devices. They open it by the name of this computer: http://NAME${port}`,
};
