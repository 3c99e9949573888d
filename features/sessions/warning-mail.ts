// Warning mails to the owner of an account about new ways to open it: sent after the change, if mail is set up.
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Mailer } from "../../server/mail.ts";
import { settingsNow } from "../instance/access.ts";

/** The text of each warning, by the change that it reports. */
const warnings = {
  passkeyAdded: {
    subject: "A passkey was added to your account",
    sentence: "a passkey was added to your account",
    undo: "Settings, Password and passkeys: delete the passkey, then choose a new password.",
  },
  passwordChanged: {
    subject: "Your password was changed",
    sentence: "the password of your account was changed, and all other devices were signed out",
    undo: "Ask for a new password on the sign-in page, and choose to remove all passkeys with it.",
  },
} as const;

/** Separate from the mails with links, so that many changes cannot delay those. */
const warningMailer = perHouse(
  "cache",
  ({ config: { mail }, log }) => mail && new Mailer(mail, log, undefined, { atOnce: 1, most: 50 }),
);

/**
 * The address may not belong to the account's owner: for each kind of change it gets up to three mails at once, then
 * three per hour.
 */
const paces = perHouse("cache", ({ limits }) =>
  limits.of("warnings", { mails: { perSecond: 3 / 3600, burst: 3 } }),
);

/**
 * Sends the warning in the background: the change is committed, and its response does not wait for mail. Repeats
 * nothing that the caller typed, such as the name of a passkey, which could carry advertisements to strangers.
 */
export function warnByMail(
  house: House,
  { username, email }: { username: string; email: string | null },
  change: keyof typeof warnings,
): void {
  const post = warningMailer(house);
  if (!post || email === null) return;
  const send = async () => {
    const { allowed } = await paces(house).take("mails", `${change} ${email.toLowerCase()}`);
    if (!allowed) return;
    const { name } = await house.read(async (unit) => settingsNow(unit));
    const { subject, sentence, undo } = warnings[change];
    const text = [
      `Hello ${username},`,
      "",
      `${sentence} at ${house.publicUrl}.`,
      "",
      "If that was you, there is nothing to do. If it was not:",
      "",
      undo,
      "",
    ].join("\n");
    if (!post.send({ to: email, subject: `${subject} (${name})`, text }))
      house.log.error("a mail was not sent: too many are under way");
  };
  send().catch((error) => logFailure(house, error, "a warning could not be mailed"));
}

export function closeWarnings(house: House): void {
  warningMailer(house)?.close();
}
