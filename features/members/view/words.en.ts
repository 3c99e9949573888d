// What the list of members and the cards of people say, in English.
import { currentLanguage } from "../../../web/ui/words.ts";

export const english = {
  members: "Members",
  close: "Close",
  count: (count: number) => new Intl.NumberFormat(currentLanguage()).format(count),
  here: "Online",
  offline: "Offline",
  bot: "Bot",
  cannotLoad: "The members could not be loaded.",
  tryAgain: "Try again",
  profile: "Profile",
  profileOf: (name: string) => `Profile of ${name}`,
  loading: "Loading",
  gone: "This person shares no server with you any more.",
  roles: "Roles",
  owner: "Owner",
  badges: "Badges",
  kick: "Kick",
  ban: "Ban",
  kickTitle: (name: string) => `Kick ${name}`,
  banTitle: (name: string) => `Ban ${name}`,
  kickLead: (name: string, server: string) =>
    `${name} leaves ${server} at once and can come back with an invite.`,
  banLead: (name: string, server: string) =>
    `${name} leaves ${server} at once and cannot come back until the ban is lifted.`,
  reason: "Reason",
  reasonHint: "Optional. Seen by those who may ban.",
};
