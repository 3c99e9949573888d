// The words of the first run in English.
export const english = {
  names: { owner: "Your account", house: "This Hearth", server: "First server", invite: "Invite people" },
  titles: {
    owner: "Make this Hearth yours",
    house: "Who may come?",
    server: "A first server",
    invite: "Bring people in",
  },
  leads: {
    owner: "The first account owns this Hearth: it can change everything.",
    house: "You can change both later in the console.",
    server: "A server is where a group talks. It starts with one channel, general.",
    invite: "Whoever opens this link can create an account and join. It is good for seven days.",
  },
  place: (number: number, of: number) => `Step ${number} of ${of}.`,
  code: "Set-up code",
  codeHint:
    "It stands where Hearth was started, on a line of its own. “hearth admin setup-code” makes another.",
  emailHintWithoutMail: "Only you can see it. “hearth admin reset-link” makes you a link to a new password.",
  name: "Name of this Hearth",
  nameHint: "It stands at the top of the pages before one is inside, and in mails.",
  whoMayJoin: "Who may create an account",
  registration: { open: "Anyone", invite: "Anyone with an invite", closed: "Nobody" },
  registrationHint: {
    open: "An account needs no invite.",
    invite: "Everybody with an account can create invites.",
    closed: "You can change it when somebody wants to come.",
  },
  fixed: "It is set where the server was started.",
  serverName: "Server name",
  serverHint: "You can change it later.",
  makeServer: "Create the server",
  inviteLink: "Invite link",
  open: (server: string) => `Open ${server}`,
  goOn: "Continue",
  back: "Back",
  skip: "Skip the rest",
  tooLateTitle: "Somebody was faster",
  tooLateLead: "This Hearth has its owner by now. Sign in, or ask for an invite.",
  tooLateWithAccount:
    "This Hearth has its owner by now. Your account is made all the same, as an ordinary one.",
};
