// Texts of the password reset, in English.
export const english = {
  askTitle: "Forgot your password?",
  askLead: "Type the e-mail address of your account, and a link comes that sets a new one.",
  noMail:
    "This Hearth sends no mail. Ask one of its admins: they can make a link for you that sets a new password.",
  email: "E-mail",
  emailShape: "An e-mail address looks like name@example.org.",
  ask: "Send me a link",
  askAgain: "Ask for another link",
  sentTitle: "Look into your mail",
  sentLead: (to: string) =>
    `If an account has the address ${to}, a link is on its way. It is good for an hour, and once.`,
  newTitle: "A new password",
  newLead: "It counts from now on. Everywhere you are signed in, you will be signed out.",
  newPassword: "New password",
  passkeys: "Remove all passkeys, too",
  passkeysHint:
    "A passkey opens the account without the password. Switch this on if somebody else may have got in; you can create yours again.",
  set: "Set the password",
  doneTitle: "Your password is set",
  doneLead: "Sign in with it.",
  endedTitle: "This link has ended",
  endedLead: "It was used already, or it is older than an hour.",
  signIn: "Sign in",
  back: "Back to signing in",
};
