// Requests for a new password, handled in the background: the response is sent before the address is looked up.
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../protocol/errors.ts";
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { mailer } from "../../server/mail.ts";
import { Queue, QueueClosed } from "../../server/queue.ts";
import { selectByLogin } from "../accounts/access.ts";
import { settingsNow } from "../instance/access.ts";
import { makeLink } from "./access.ts";

const mostWaiting = 500;
/** Delay until the response is sent, in milliseconds: its timing must not tell whether the address is known. */
const answerMs = 10;
/** The most e-mails with a link that an account gets per hour; further requests are dropped silently. */
const mostMailsAnHour = 3;

class ResetRequests {
  readonly #house: House;
  readonly #queue = new Queue({ mostWaiting });

  constructor(house: House) {
    this.#house = house;
  }

  /** Throws 503 if too many requests are queued, whether the address is known or not. */
  add(email: string): void {
    if (this.#queue.isFull) {
      throw new Refusal("unavailable", "Too many people ask for a mail at this moment. Try again shortly.", {
        retryAfter: 5,
      });
    }
    const pauseMs = this.#queue.running > 0 ? 0 : answerMs;
    const sent = this.#queue.run(async () => {
      if (pauseMs > 0) await sleep(pauseMs);
      await sendLink(this.#house, email);
    });
    sent.catch((error) => {
      if (error instanceof QueueClosed) return;
      logFailure(this.#house, error, "a link for a forgotten password could not be made");
    });
  }

  close(): void {
    this.#queue.close();
  }
}

export const resetRequests = perHouse("queue", (house) => new ResetRequests(house));

async function sendLink(house: House, email: string): Promise<void> {
  const user = await selectByLogin(house.database.read, email);
  // Sent to the stored address, which differs from the given one only in case.
  if (!user?.email) return;
  const link = await house.write((unit) => makeLink(unit, user.id, mostMailsAnHour));
  if (!link) return;
  const { name } = await house.read(async (unit) => settingsNow(unit));
  const isOnItsWay = mailer(house)?.send({
    to: user.email,
    subject: `A new password for ${name}`,
    text: emailText(house, user.username, link.url),
  });
  if (!isOnItsWay) house.log.error("a mail was not sent: too many are under way");
}

function emailText(house: House, username: string, link: string): string {
  return [
    `Hello ${username},`,
    "",
    `somebody, probably you, asked for a new password for your account at ${house.publicUrl}`,
    "",
    "Choose it here:",
    "",
    link,
    "",
    "The link works once, within one hour. All devices are signed out when it is used.",
    "",
    "If you did not ask for it, do nothing: your password stays as it is.",
    "",
  ].join("\n");
}
