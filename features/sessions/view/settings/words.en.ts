// Texts of the password and device settings, in English.
export const english = {
  title: "Devices",
  lead: "Where you are signed in. End what you do not know, and change your password then.",
  here: "This device",
  others: "Other devices",
  lastUsed: (time: string) => `Last used ${time}`,
  signedIn: (time: string) => `Signed in ${time}`,
  end: "Sign out",
  endNamed: (device: string) => `Sign out ${device}`,
  endAll: (count: string, isOne: boolean) =>
    isOne ? "Sign out the other device" : `Sign out ${count} other devices`,
  endAllTitle: "Sign out everywhere else?",
  endAllLead:
    "Every device but this one has to sign in again. What waits on them to be sent is sent after that.",
  ended: (device: string) => `${device} is signed out`,
  allEnded: "All other devices are signed out",
  none: "You are signed in nowhere else.",
  unknown: "An app or a program",
  onSystem: (browser: string, system: string) => `${browser} on ${system}`,
  current: "Current password",
  fresh: "New password",
  freshHint: (least: number) => `At least ${least} characters. A sentence is easier to keep than a riddle.`,
  change: "Change password",
  changeLead: "All other devices are signed out by it; this one stays.",
  changed: "Your password is changed. All other devices are signed out.",
};
