// A mail to the admin who asks for it, so that they see whether mails arrive.
import { Refusal } from "../../protocol/errors.ts";
import { perHouse } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { mailer } from "../../server/mail.ts";
import { Queue } from "../../server/queue.ts";
import { settingsNow } from "../instance/access.ts";

/** One at a time, of all admins together: each is waited for. */
const turns = perHouse("queue", () => new Queue({ mostWaiting: 2, full: tooMany }));

/** Throws not_configured without a mail server, unavailable when that does not take the mail. */
export async function sendTestMail(unit: UnitOfWork, to: string): Promise<void> {
  const { house } = unit;
  const post = mailer(house);
  if (!post) throw new Refusal("not_configured", "This server sends no mail: set SMTP_URL and MAIL_FROM.");
  const { name } = await settingsNow(unit);
  const email = {
    to,
    subject: `A test mail from ${name}`,
    text: `This is a test: ${name}, at ${house.publicUrl}, sends mails, and they arrive.\n`,
  };
  const trouble = await turns(house).run(() => post.sendNow(email));
  if (trouble === undefined) return;
  const sentence = `The mail server did not take the mail (${trouble}). The check of the mail says more.`;
  throw new Refusal("unavailable", sentence, { retryAfter: 5 });
}

function tooMany(): Refusal {
  return new Refusal("rate_limited", "Test mails are under way already. Wait a moment.", { retryAfter: 5 });
}
