// The mail check: whether the mail server accepts what it would be sent.
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";
import { checkMailServer } from "../../server/mail-check.ts";

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
