// The test mail to the admin who asks for it, to see whether mails arrive.
import { Refusal } from "../../protocol/errors.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { MemoryLimiter } from "../../server/limits/memory.ts";
import { mailer } from "../../server/mail.ts";
import { Queue } from "../../server/queue.ts";
import { settingsNow } from "../instance/access.ts";

/** One test mail at a time for all admins: each request waits for its mail. */
const turns = perHouse("queue", () => new Queue({ mostWaiting: 2, full: tooMany }));

/** Rate limit per address, which may not be the admin's own: a few in a row, then three a minute, in each process. */
const paces = perHouse("cache", () => new MemoryLimiter({ test_mails: { perSecond: 1 / 20, burst: 5 } }));

/** Throws not_configured without a mail server, unavailable when that does not take the mail. */
export async function sendTestMail(unit: UnitOfWork, to: string): Promise<void> {
  const { house } = unit;
  const post = mailer(house);
  if (!post) throw new Refusal("not_configured", "This server sends no mail: set SMTP_URL and MAIL_FROM.");
  const { allowed, resetAfterS } = paces(house).take("test_mails", to.toLowerCase());
  if (!allowed) throw tooSoon(Math.ceil(resetAfterS));
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

function tooSoon(retryAfter: number): Refusal {
  const sentence = "Enough test mails went to this address. Wait before you ask for another.";
  return new Refusal("rate_limited", sentence, { retryAfter });
}
