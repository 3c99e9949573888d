// The doctor looks at what may be set up besides: mail, GIFs, push.
import { providers } from "../features/gifs/providers.ts";
import type { Config } from "../server/config.ts";
import { checkMailServer } from "../server/mail.ts";
import { type Finding, finding, reason } from "./finding.ts";

const patienceMs = 5000;

export async function checkMail({ mail }: Config): Promise<Finding> {
  const about = "mail";
  if (!mail) {
    const says =
      "Not set up (SMTP_URL, MAIL_FROM): for forgotten passwords there is hearth admin reset-link.";
    return finding(about, "off", says);
  }
  const { host } = new URL(mail.url);
  try {
    await checkMailServer(mail);
    return finding(about, "ok", `${host} takes mails from ${mail.from}.`);
  } catch (error) {
    return finding(about, "wrong", `${host} (SMTP_URL) cannot be used: ${reason(error)}.`);
  }
}

export async function checkGifs({ gifs }: Config): Promise<Finding> {
  const about = "GIFs";
  if (!gifs) return finding(about, "off", "Not set up (GIF_API_KEY).");
  const provider = providers[gifs.provider];
  // The address holds the key, and errors may quote it: neither is told.
  let trouble = `${gifs.provider} does not answer`;
  try {
    const address =
      (gifs.url ?? provider.origin) + provider.address(gifs.key, { words: undefined, limit: 1 });
    const response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(patienceMs) });
    trouble = `${gifs.provider} answers with status ${response.status}; see GIF_API_KEY`;
    if (response.status !== 200) throw new Error(trouble);
    trouble = `what answers is not ${gifs.provider}; see GIF_PROVIDER and GIF_API_URL`;
    provider.gifsIn(await response.json());
    return finding(about, "ok", `${gifs.provider} takes the key.`);
  } catch {
    return finding(about, "wrong", `GIFs do not work: ${trouble}.`);
  }
}

export function checkPush({ vapidSubject, publicUrl }: Config): Finding {
  const contact = vapidSubject ?? publicUrl;
  if (contact && /^(mailto:|https:)/.test(contact))
    return finding("push", "ok", `Push services are told ${contact} as the contact.`);
  const says =
    "Push services want a contact: set VAPID_SUBJECT to mailto:you@your.domain, or PUBLIC_URL to https.";
  return finding("push", "note", says);
}
