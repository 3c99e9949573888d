// The push check: whether push services get a contact address.
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding } from "../../server/house/check.ts";

export async function checkPush({ vapidSubject, publicUrl }: Config): Promise<Finding> {
  const contact = vapidSubject ?? publicUrl;
  if (contact && /^(mailto:|https:)/.test(contact))
    return finding("push", "ok", `Push services are told ${contact} as the contact.`);
  const says =
    "Push services want a contact: set VAPID_SUBJECT to mailto:you@your.domain, or PUBLIC_URL to https.";
  return finding("push", "note", says);
}
