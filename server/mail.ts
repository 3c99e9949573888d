// E-mail to people: plain text, sent in the background through the operator's mail server, with a few retries each.
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
  /** Pending mails, including those between two tries. */
  most: number;
}

const usual: Bounds = { atOnce: 2, most: 200 };
/**
 * Pauses before each retry after a temporary failure. E-mail that waits when the house closes is lost: people request
 * it again.
 */
const pausesMs = [2_000, 15_000, 60_000] as const;
/** Timeout of one whole try, however slow the mail server is, in milliseconds. */
const tryMs = 60_000;
/** The same, for an e-mail that a caller waits for. */
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

  /** Returns false when too much e-mail is pending. */
  send(email: Email): boolean {
    if (this.#closing.signal.aborted || this.#underWay >= this.#most) return false;
    this.#underWay++;
    // Failures are logged with each try; only closing ends it otherwise.
    this.#deliver(email)
      .catch(() => {})
      .finally(() => this.#underWay--);
    return true;
  }

  /** Tries once, at once. Returns the code of the failure; undefined when the mail server has accepted the mail. */
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

  /** Delivers with retries; other mails have their turn during the pauses. */
  async #deliver(email: Email): Promise<void> {
    for (let tries = 0; ; tries++) {
      const pauseMs = await this.#queue.run(() => this.#try(email, tries));
      if (pauseMs === undefined) return;
      await sleep(pauseMs, undefined, { signal: this.#closing.signal });
    }
  }

  /** Returns the pause before the next try; undefined when there is to be none. */
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

  /** Sends the mail to the mail server, within `ms`. Closing ends it, and the connection with it. */
  async #hand(email: Email, ms: number): Promise<void> {
    const transport = await transportTo(this.#mail);
    const sending = (signal: AbortSignal) =>
      transport.sendMail({
        from: this.#mail.from,
        // Given as an object, so that the library does not parse it as a list of addresses.
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
  /** The code of the system or of TLS, which the library replaced by ESOCKET. */
  originalCode?: string;
  /** For a timeout: what the library waited for. */
  timeoutType?: string;
  /** The current SMTP command: CONN, AUTH PLAIN, MAIL FROM, … */
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

/** Makes the options for one connection. The query of SMTP_URL overrides them. */
export function smtpOptions({ url }: Mail) {
  const { username, hostname } = new URL(url);
  return {
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    // The library bounds each reply, but not their number.
    socket: new CountedSocket(mostBytes),
    // A password is never sent unencrypted, not even when an attacker in between hides that the server offers TLS.
    requireTLS: username !== "" && !isLoopback(hostname),
  };
}
