// Texts of the sign-in and registration pages, in English.
export const english = {
  signIn: "Sign in",
  signInTitle: "Welcome back",
  signInLead: "Sign in to go on where you left off.",
  signInToJoin: "Sign in, and the invite opens.",
  identifier: "E-mail or username",
  password: "Password",
  showPassword: "Show password",
  hidePassword: "Hide password",
  capsLock: "Caps lock is on.",
  fillBoth: "Type your name and your password.",
  forgot: "Forgot your password?",
  create: "Create an account",
  createAccount: "Create account",
  newHere: "New here?",
  haveOne: "You have an account?",
  registerTitle: "Create an account",
  registerLead: "It lives on this Hearth only. No phone number, no tracking.",
  registerToJoin: (server = "the server of your invite", inviter?: string) =>
    `With it you join ${server}${inviter ? `, invited by ${inviter},` : ""} and arrive in its channel. It lives on this Hearth only.`,
  closedTitle: "No new accounts",
  closedLead: "This Hearth takes no new accounts. One of its admins can change that.",
  email: "E-mail",
  emailHint: "Only you can see it. It brings back a lost password.",
  emailHintWithoutMail: "Only you can see it. Admins can make you a link to a new password.",
  username: "Username",
  usernameHint: (least: number, most: number) =>
    `${least} to ${most} letters, digits, dots, dashes or underscores.`,
  displayName: "Display name",
  displayNameHint: "What people see. You can change it at any time.",
  passwordHint: (least: number) => `At least ${least} characters. A long password is better than an odd one.`,
  weak: {
    common: "Many people use this password, so it is guessed first. Choose another one.",
    "own name": "This is your own name, so it is guessed first. Choose another one.",
  },
  invite: "Invite link or code",
  inviteHint: "New accounts need an invite here. Somebody who has an account can create one.",
  inviteMissing: "That is no invite. Paste the link that you were sent, or the code at its end.",
  inviteEnded: "This invite has ended. Ask for a new one.",
  faults: {
    emailMissing: "Type your e-mail address.",
    emailShape: "An e-mail address looks like name@example.org.",
    usernameLength: "A username has 2 to 32 signs.",
    usernameSigns:
      "Use letters, digits, dots, dashes and underscores only. Your display name may hold anything.",
    usernameReserved: "This name calls everybody, so nobody can have it. Choose another one.",
    displayNameMissing: "Type the name that people see.",
    displayNameLength: "Too long: use at most 64 characters.",
    passwordShort: "Too short: use at least 8 characters.",
    passwordLong: "Too long: use at most 256 characters.",
  },
  wrong: "That name and password do not match. Check caps lock, or",
  resetIt: "reset your password",
  signedOutTitle: "You were signed out",
  signedOutLead:
    "Sign in to carry on where you left off. Messages you have started writing are kept; unsaved changes in a form are not.",
  signedOutBar: "You are signed out. Messages you have started writing are kept.",
  signOut: "Sign out",
  unsent: (count: number) =>
    count === 1
      ? "One message of yours is not sent yet. It is lost when you sign out."
      : `${count} messages of yours are not sent yet. They are lost when you sign out.`,
  drafts: (count: number) =>
    count === 1
      ? "You have written something in a channel and not sent it. It is lost when you sign out."
      : `You have written something in ${count} channels and not sent it. It is lost when you sign out.`,
  notSignedOut: "The server could not be asked to end your session. You are still signed in.",
  signOutAnyway: "Sign out and lose them",
  stay: "Stay",
  leave: "Leave, and forget what is kept here",
};
