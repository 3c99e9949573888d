// Texts of the pages of invites, in English.
export const english = {
  members: (count: number) =>
    count === 1 ? "One person talks here." : `${count.toLocaleString("en")} people talk here.`,
  inviteTo: (server: string) => `Invite to ${server}`,
  inviter: "Invited by",
  goodUntil: "Good until",
  forGood: "Somebody ends it",
  left: (ms: number) => left(ms),
  join: "Join",
  as: (name: string) => `You join as ${name}.`,
  otherAccount: "Use another account",
  invited: "You are invited.",
  accountsNeed: {
    invite: "New accounts on this Hearth need an invite.",
    closed: "This Hearth takes no new accounts.",
  },
  create: "Create an account",
  signIn: "Sign in",
  endedTitle: "This invite has ended",
  endedLead: "It ran out or was used up. Ask the person who sent it for a new one.",
  unknownTitle: "There is no such invite",
  unknownLead: "It may have been withdrawn, or a part of the link got lost. Ask the person who sent it.",
  code: "Code",
  another: "Another one?",
  anotherHint: "An invite link, or the code at its end.",
  open: "Open",
  toServers: "Go to my servers",
  unansweredTitle: "The invite could not be looked up",
  stepsTitle: "First steps",
  stepsHide: "Hide these steps",
  stepInvite: "Invite people",
  stepHello: "Say hello",
  stepChannel: "Create a channel",
  stepIcon: "Give it a picture",
  stepDone: "done",
};

function left(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return `${unit(minutes, "minute")} left`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${unit(hours, "hour")} left` : `${unit(Math.floor(hours / 24), "day")} left`;
}

function unit(count: number, of: "minute" | "hour" | "day"): string {
  return new Intl.NumberFormat("en", { style: "unit", unit: of, unitDisplay: "long" }).format(count);
}
