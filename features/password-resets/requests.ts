// Requests for a new password, in the background: the answer goes out before the address is looked up.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { postOffice } from "../../server/mail.ts";
import { selectByLogin } from "../accounts/access.ts";
import { makeLink } from "./access.ts";

const mostWaiting = 500;
/** E-mails with a link that an account gets in an hour; further requests are dropped in silence. */
const mostMailsAnHour = 3;

class ResetRequests {
  readonly #house: House;
  readonly #waiting: string[] = [];
  #working = false;

  constructor(house: House) {
    this.#house = house;
  }

  /** Throws 503 when too many requests wait, whether the address is known or not. */
  add(email: string): void {
    if (this.#waiting.length >= mostWaiting) {
      throw new Refusal("unavailable", "Too many people ask for a mail at this moment. Try again shortly.", {
        retryAfter: 5,
      });
    }
    this.#waiting.push(email);
    if (this.#working) return;
    this.#working = true;
    // Starts after the answer has gone out, so that the answer's time does not reveal whether the address is known.
    setTimeout(() => this.#work(), 10);
  }

  close(): void {
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    for (let email = this.#waiting.shift(); email !== undefined; email = this.#waiting.shift()) {
      await sendLink(this.#house, email).catch((error) => {
        this.#house.log.error({ err: error }, "a link for a forgotten password could not be made");
      });
    }
    this.#working = false;
  }
}

export const resetRequests = perHouse((house) => new ResetRequests(house));

async function sendLink(house: House, email: string): Promise<void> {
  const user = await selectByLogin(house.database.read, email);
  // Sent to the account's address, which differs from the given one only in case.
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
