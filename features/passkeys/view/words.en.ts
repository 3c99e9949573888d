// Texts about passkeys, in English.
export const english = {
  signIn: "Sign in with a passkey",
  orPassword: "or with your password",
  atLocalhost: (host: string) => `Passkeys do not work at ${host}. This leads to localhost, where they do.`,
  cancelled: "No passkey was used. Try again, or use your password.",
  unknown: "This passkey opens nothing here any more. Use your password.",
  noBrowser: "This browser has no passkeys. Use your password.",
  noAddress: "Passkeys need a safe connection and an address that is a name. Use your password.",
  offerTitle: "Skip the password next time",
  offerLead:
    "A passkey lives on this device and opens with your finger, face or PIN. Nothing to remember, nothing to steal.",
  thisDevice: "This device",
  canKeep: "Can keep a passkey",
  make: "Create a passkey",
  notNow: "Not now",
  notMade: "No passkey was created. Try again, or create one later in your settings.",
};
