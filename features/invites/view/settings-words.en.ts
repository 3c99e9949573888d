// Texts of invites in the settings of a server, in English.
const number = new Intl.NumberFormat("en");
const unit = (name: "hour" | "day") =>
  new Intl.NumberFormat("en", { style: "unit", unit: name, unitDisplay: "long" });

export const english = {
  title: "Invites",
  pageLead: "Links that let people in. Every member can create some; the newest stand first.",
  make: "New invite",
  live: "Invites",
  none: "No invite is live. Make one to let people in.",
  invite: "Invite people",
  invitePeople: (server: string) => `Invite people to ${server}`,
  lead: "Send the link to those who are to come. It leads to a page that says where they are invited to.",
  good: (hours: number, uses: number) => {
    const time =
      hours === 0
        ? "Never expires"
        : `Good for ${hours % 24 === 0 ? unit("day").format(hours / 24) : unit("hour").format(hours)}`;
    return `${time}, ${uses === 0 ? "for anybody" : uses === 1 ? "for one person" : `for ${number.format(uses)} people`}.`;
  },
  change: "Change",
  createLink: "Create link",
  formerStays: "The link before this one could not be revoked. It is still good.",
  link: "Invite link",
  done: "Done",
  expiresAfter: "Expires after",
  hours: (count: number) =>
    count === 0 ? "Never" : count % 24 === 0 ? unit("day").format(count / 24) : unit("hour").format(count),
  mostUses: "How many can use it",
  times: (count: number) =>
    count === 0 ? "As many as come" : count === 1 ? "One person" : `${number.format(count)} people`,
  used: (uses: number, most: number) =>
    most === 0
      ? `Used ${uses === 1 ? "once" : `${number.format(uses)} times`}`
      : `Used ${number.format(uses)} of ${number.format(most)} times`,
  until: (time: string) => `until ${time}`,
  endless: "never expires",
  copyLink: "Copy link",
  copyOf: (code: string) => `Copy link of ${code}`,
  revoke: "Revoke",
  revokeOf: (code: string) => `Revoke ${code}`,
  revokeTitle: "Revoke the invite?",
  revokeLead: "Its link leads nowhere any more. Those who came by it stay.",
};
