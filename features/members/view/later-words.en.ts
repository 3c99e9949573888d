// Texts of the list of members and of profiles, in English.
import { numberIn } from "../../../web/ui/words/numbers.ts";

export const english = {
  close: "Close",
  count: numberIn("en"),
  here: "Online",
  cannotLoad: "The members could not be loaded.",
  profile: "Profile",
  profileOf: (name: string) => `Profile of ${name}`,
  menuOf: (name: string) => `Menu of ${name}`,
  gone: "This person shares no server with you any more.",
  hereSince: (day: string) => `Here since ${day}`,
  about: "About",
  more: "More",
  owner: "Owner",
  addRole: "Add a role",
  removeRole: (role: string) => `Remove ${role}`,
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
