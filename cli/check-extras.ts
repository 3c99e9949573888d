// The doctor's checks of optional parts: mail, GIFs, push.
import { askProvider } from "../features/gifs/asking.ts";
import type { Config } from "../server/config/config.ts";
import { checkMailServer } from "../server/mail-check.ts";
import { type Finding, finding, reason } from "./finding.ts";

export async function checkMail({ mail }: Config): Promise<Finding> {
  const about = "mail";
  if (!mail) {
    const says =
      "Not set up (SMTP_URL, MAIL_FROM): for forgotten passwords there is hearth admin reset-link.";
    return finding(about, "off", says);
  }
  const { host } = new URL(mail.url);
  try {
    const { verdict, said } = await checkMailServer(mail);
    const sentences = {
      takes: `${host} takes mails from ${mail.from}.`,
      later: `${host} (SMTP_URL) takes no mail from ${mail.from} for now: ${said}.`,
      unknown: `${host} lets us in, but knows no mailbox of ${mail.from} (MAIL_FROM), so answers get lost: ${said}.`,
      refuses: `${host} (SMTP_URL) refuses mails from ${mail.from} (MAIL_FROM): ${said}.`,
    };
    return finding(
      about,
      verdict === "takes" ? "ok" : verdict === "refuses" ? "wrong" : "note",
      sentences[verdict],
    );
  } catch (error) {
    return finding(about, "wrong", `${host} (SMTP_URL) cannot be used: ${reason(error)}.`);
  }
}

export async function checkGifs({ gifs }: Config): Promise<Finding> {
  const about = "GIFs";
  if (!gifs) return finding(about, "off", "Not set up (GIF_API_KEY).");
  const { provider } = gifs;
  const answer = await askProvider(gifs, { words: undefined, limit: 1 });
  if (answer.gifs) return finding(about, "ok", `${provider} takes the key.`);
  return finding(about, "wrong", `GIFs do not work: ${troubleWith(provider, answer.status)}.`);
}

function troubleWith(provider: string, status: number | undefined): string {
  if (status === undefined) return `${provider} does not answer`;
  if (status !== 200) return `${provider} answers with status ${status}; see GIF_API_KEY`;
  return `what answers is not ${provider}; see GIF_PROVIDER and GIF_API_URL`;
}

export function checkPush({ vapidSubject, publicUrl }: Config): Finding {
  const contact = vapidSubject ?? publicUrl;
  if (contact && /^(mailto:|https:)/.test(contact))
    return finding("push", "ok", `Push services are told ${contact} as the contact.`);
  const says =
    "Push services want a contact: set VAPID_SUBJECT to mailto:you@your.domain, or PUBLIC_URL to https.";
  return finding("push", "note", says);
}
