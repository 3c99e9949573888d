// A mail server of the test's own, with the real protocol: keeps the mails that it accepts, and can refuse some.
import { SMTPServer } from "smtp-server";
import { until } from "../machine/waiting.ts";

interface ReceivedMail {
  from: string;
  to: string[];
  /** The mail as sent over the wire, headers first. */
  raw: string;
  /** The body as a person reads it. */
  text: string;
}

export class MailBox {
  readonly mails: ReceivedMail[] = [];
  readonly settings: Record<string, string>;
  /** SMTP codes that refuse the next mails. */
  readonly refusals: number[] = [];
  /** The same for mails to one address. */
  readonly refusalsOf = new Map<string, number[]>();
  /** While true it accepts a mail without ever confirming it, and drops it. */
  isSilent = false;
  /** Number of attempts to deliver a mail. */
  tries = 0;
  readonly #triedTo: string[] = [];
  readonly #server: SMTPServer;

  private constructor(server: SMTPServer, port: number) {
    this.#server = server;
    this.settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Hearth <hearth@house.example>" };
  }

  static async open(): Promise<MailBox> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      logger: false,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          box.tries++;
          for (const { address } of rcptTo) box.#triedTo.push(address);
          if (box.isSilent) return;
          const refusal = box.refusals.shift() ?? box.refusalsOf.get(rcptTo[0]?.address ?? "")?.shift();
          if (refusal) return done(Object.assign(new Error("Not now"), { responseCode: refusal }));
          const raw = Buffer.concat(chunks).toString();
          box.mails.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map((each) => each.address),
            raw,
            text: readable(raw),
          });
          done();
        });
      },
    });
    await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    const { port } = server.server.address() as { port: number };
    const box = new MailBox(server, port);
    return box;
  }

  /** Number of attempts to deliver a mail to this address. */
  triesTo(address: string): number {
    return this.#triedTo.filter((each) => each === address).length;
  }

  /** Waits for `count` mails to this address, and returns the newest. */
  async mailTo(address: string, count = 1): Promise<ReceivedMail> {
    const mails = () => this.mails.filter((mail) => mail.to.includes(address));
    await until(() => mails().length >= count, `there are not ${count} mails to ${address}`);
    return mails().at(-1) as ReceivedMail;
  }

  /** Waits for `count` mails with a link for a new password, others not counted, and returns the newest of them. */
  async linkTo(address: string, count = 1): Promise<ReceivedMail> {
    const mails = () => this.mails.filter(({ to, text }) => to.includes(address) && linkIn(text));
    await until(() => mails().length >= count, `there are not ${count} links to ${address}`);
    return mails().at(-1) as ReceivedMail;
  }

  async close(): Promise<void> {
    await new Promise<void>((closed) => this.#server.close(() => closed()));
  }
}

/** The token of the link in a mail. */
export function tokenIn(mail: ReceivedMail): string {
  const token = linkIn(mail.text);
  if (!token) throw new Error(`there is no link in: ${mail.text}`);
  return token;
}

function linkIn(text: string): string | undefined {
  return /\/reset-password#token=(\S+)/.exec(text)?.[1];
}

/** Decodes quoted-printable, in which long lines are sent. */
function readable(raw: string): string {
  const [head = "", ...body] = raw.split("\r\n\r\n");
  const text = body.join("\r\n\r\n").replaceAll("\r\n", "\n");
  if (!/quoted-printable/i.test(head)) return text;
  return text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
