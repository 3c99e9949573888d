// Forgotten passwords in the background: whoever asks is answered before anybody looks whether the address is known.
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { postOffice } from "../../server/mail.ts";
import { Queue, QueueClosed } from "../../server/queue.ts";
import { selectByLogin } from "../accounts/access.ts";
import { makeLink } from "./access.ts";

const mostWaiting = 500;
/** Not before the answer is out: its time tells nothing of what is found. */
const answerMs = 10;
/** Links an account gets by mail in an hour; further requests are passed over in silence. */
const mostMailsAnHour = 3;

class ResetRequests {
  readonly #house: House;
  readonly #queue = new Queue({ mostWaiting });

  constructor(house: House) {
    this.#house = house;
  }

  /** Throws 503 when too many wait, known address or not. */
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
      this.#house.log.error({ err: error }, "a link for a forgotten password could not be made");
    });
  }

  close(): void {
    this.#queue.close();
  }
}

export const resetRequests = perHouse((house) => new ResetRequests(house));

async function sendLink(house: House, email: string): Promise<void> {
  const user = await selectByLogin(house.database.read, email);
  // To the address that the account has, which is the given one but for case.
  if (!user?.email) return;
  const link = await house.write((unit) => makeLink(unit, user.id, mostMailsAnHour));
  if (!link) return;
  const isOnItsWay = postOffice(house)?.send({
    to: user.email,
    subject: "A new password for Hearth",
    text: letter(house, user.username, link),
  });
  if (!isOnItsWay) house.log.error("a mail was not sent: too many are under way");
}

function letter(house: House, username: string, link: string): string {
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
