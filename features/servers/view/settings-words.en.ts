// Texts of the server settings, in English.
const number = new Intl.NumberFormat("en");

export const english = {
  title: "Server settings",
  backTo: (name: string) => `Back to ${name}`,
  content: "Content",
  record: "Calendar",
  notYours: "You may not use this page.",
  whoCan: "The owner can, and people whose roles allow it. They can also give you such a role.",
  overview: "Overview",
  overviewLead: "What everybody in the server sees of it.",
  name: "Name",
  looks: "Preview",
  ownerOnly: "Only the owner of the server can change this.",
  end: "Deleting",
  delete: "Delete server",
  deleteLead: "Deletes the server for everybody. There is no way back.",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteLoses: (channels: number, people: number) =>
    `Lost for good: ${channels === 1 ? "1 channel" : `${number.format(channels)} channels`} with all messages, the roles, invites and events, and the place where ${people === 1 ? "1 person talks" : `${number.format(people)} people talk`}.`,
};
