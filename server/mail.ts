// E-mail to people: plain text, sent in the background through the operator's mail server, with a few tries each.
import { setTimeout as sleep } from "node:timers/promises";
import { asciiEmail } from "../protocol/email.ts";
import { isLoopback } from "./caller/addresses.ts";
import type { Config } from "./config/config.ts";
import { CountedSocket } from "./counted-socket.ts";
import { perHouse } from "./house/per-house.ts";
import { inTime } from "./in-time.ts";
import { Queue } from "./queue.ts";
import type { Log } from "./telemetry/log.ts";

interface Email {
  to: string;
  subject: string;
  text: string;
}

export type Mail = NonNullable<Config["mail"]>;

interface Bounds {
  /** Connections to the mail server. */
  atOnce: number;
  /** Mails that are under way, those between two tries too. */
  most: number;
}

const usual: Bounds = { atOnce: 2, most: 200 };
/**
 * Pauses before each further try after a temporary failure. E-mail waiting when the house closes is lost: people ask
 * again.
 */
const pausesMs = [2_000, 15_000, 60_000] as const;
/** The limit for one whole try, however slow the mail server is. */
const tryMs = 60_000;
/** The same, for somebody who waits for it. */
const usualNowMs = 10_000;

export class Mailer {
  readonly #mail: Mail;
  readonly #log: Log;
  readonly #nowMs: number;
  readonly #most: number;
  readonly #queue: Queue;
  readonly #closing = new AbortController();
  #underWay = 0;

  constructor(mail: Mail, log: Log, nowMs = usualNowMs, { atOnce, most } = usual) {
    this.#nowMs = nowMs;
    this.#most = most;
    this.#queue = new Queue({ atOnce });
    this.#mail = mail;
    this.#log = log;
  }

  /** Returns false when too much e-mail is under way already. */
  send(email: Email): boolean {
    if (this.#closing.signal.aborted || this.#underWay >= this.#most) return false;
    this.#underWay++;
    // What fails is written down with each try; only closing ends it otherwise.
    this.#deliver(email)
      .catch(() => {})
      .finally(() => this.#underWay--);
    return true;
  }

  /** Tries once, at once. Returns the code of the failure; undefined when the mail server has taken the mail. */
  async sendNow(email: Email): Promise<string | undefined> {
    try {
      await this.#hand(email, this.#nowMs);
      return undefined;
    } catch (error) {
      const codes = codesOf(error);
      this.#log.warn(codes, "a mail could not be sent");
      return String(codes.response_code ?? codes.reason ?? codes.code ?? "no answer");
    }
  }

  close(): void {
    this.#closing.abort();
    this.#queue.close();
  }

  /** Others have their turn while it waits for its next try. */
  async #deliver(email: Email): Promise<void> {
    for (let tries = 0; ; tries++) {
      const pauseMs = await this.#queue.run(() => this.#try(email, tries));
      if (pauseMs === undefined) return;
      await sleep(pauseMs, undefined, { signal: this.#closing.signal });
    }
  }

  /** Returns how long to wait before the next try; undefined when there is to be none. */
  async #try(email: Email, tries: number): Promise<number | undefined> {
    try {
      await this.#hand(email, tryMs);
      return undefined;
    } catch (error) {
      if (this.#closing.signal.aborted) return undefined;
      const pauseMs = isPermanent(error) ? undefined : pausesMs[tries];
      const level = pauseMs === undefined ? "error" : "warn";
      this.#log[level]({ ...codesOf(error), tries: tries + 1 }, "a mail could not be sent");
      return pauseMs;
    }
  }

  /** Hands the mail to the mail server, in `ms` at most. Closing ends it, and the connection with it. */
  async #hand(email: Email, ms: number): Promise<void> {
    const transport = await transportTo(this.#mail);
    const sending = (signal: AbortSignal) =>
      transport.sendMail({
        from: this.#mail.from,
        // Given as an object, so that the library does not read a list of addresses out of it.
        to: { name: "", address: asciiEmail(email.to) },
        subject: email.subject,
        text: email.text,
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
    await inTime({ until: performance.now() + ms, closing: this.#closing.signal }, sending);
  }
}

/** The mailer of a house; undefined where no mail server is set up. */
export const mailer = perHouse(
  "cache",
  (house) => house.config.mail && new Mailer(house.config.mail, house.log),
);

interface MailError {
  code?: string;
  responseCode?: number;
  /** The code of the system or of TLS, before the library called it ESOCKET. */
  originalCode?: string;
  /** Of a time-out: what the library waited for. */
  timeoutType?: string;
  /** The SMTP command under way: CONN, AUTH PLAIN, MAIL FROM, … */
  command?: string;
}

/** The mail server's answer can repeat an address, so only the codes of the answer and of the failure are logged. */
function codesOf(error: unknown) {
  const { code, responseCode, originalCode, timeoutType, command } = error as MailError;
  return { code, reason: originalCode ?? timeoutType, command, response_code: responseCode };
}

function isPermanent(error: unknown): boolean {
  return ((error as MailError).responseCode ?? 0) >= 500;
}

async function transportTo(mail: Mail) {
  // Loaded with the first e-mail: most servers send none, and it would take a twentieth of their start.
  const { createTransport } = await import("nodemailer");
  return createTransport(smtpOptions(mail));
}

/** The most bytes that the mail server may send: a few lines with each mail, and its certificates. */
const mostBytes = 128 * 1024;

/** Makes the transport for one connection. The query of SMTP_URL overrides the options here. */
export function smtpOptions({ url }: Mail) {
  const { username, hostname } = new URL(url);
  return {
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    // The library bounds one reply and takes any number of them.
    socket: new CountedSocket(mostBytes),
    // A password never goes out unencrypted, not even when an attacker in between hides that the server offers TLS.
    requireTLS: username !== "" && !isLoopback(hostname),
  };
}
