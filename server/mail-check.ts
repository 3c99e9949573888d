// Whether the operator's mail server would accept a message: goes through SMTP up to the point before the message.
import { within } from "./in-time.ts";
import { type Mail, smtpOptions } from "./mail.ts";

/** The mail server's answer to an envelope; no message was sent. */
interface EnvelopeAnswer {
  /**
   * `later`: the server asks to try again. `unknown`: it has no mailbox of the sender's name, which says little about
   * others.
   */
  verdict: "takes" | "refuses" | "later" | "unknown";
  /** The server's answer, verbatim. */
  said: string;
}

/** For the whole check, in milliseconds; each step has a shorter limit of its own. */
const usualPatienceMs = 60_000;

/** A made-up authentication method: a hook of the library that runs after signing in, where the envelope is tried. */
const envelopeOnly = "HEARTH-ENVELOPE";

/**
 * Connects, signs in, and names the sender as both sender and recipient; then aborts (RSET). Throws the error of the
 * mail server, or of the connection, when it does not get that far.
 */
export async function checkMailServer(mail: Mail, patienceMs = usualPatienceMs): Promise<EnvelopeAnswer> {
  const { default: SMTPTransport } = await import("nodemailer/lib/smtp-transport");
  const { default: SMTPConnection } = await import("nodemailer/lib/smtp-connection");
  const { default: addresses } = await import("nodemailer/lib/addressparser");
  const [{ address = "" } = {}] = addresses(mail.from, { flatten: true });
  const { options, auth } = new SMTPTransport(smtpOptions(mail));
  let answer: EnvelopeAnswer = { verdict: "refuses", said: "" };
  const connection = new SMTPConnection({
    ...options,
    customAuth: {
      [envelopeOnly]: async ({ sendCommand }) => {
        answer = await tryEnvelope(address, async (line) => (await sendCommand(line)).response);
      },
    },
  });
  try {
    await within(patienceMs, async () => {
      await new Promise<void>((done, failed) => {
        connection.once("error", failed);
        connection.once("end", () => failed(new Error("it closed the connection")));
        connection.connect((error) => (error ? failed(error) : done()));
      });
      const signIn = (as: object) =>
        new Promise<void>((done, failed) => {
          connection.once("error", failed);
          connection.login(as, (error) => (error ? failed(error) : done()));
        });
      if (auth && (connection.allowsAuth || options.forceAuth)) await signIn(auth);
      await signIn({ method: envelopeOnly });
    });
    connection.quit();
    return answer;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function tryEnvelope(address: string, say: (line: string) => Promise<string>): Promise<EnvelopeAnswer> {
  const from = await say(`MAIL FROM:<${address}>`);
  const said = from.startsWith("2") ? await say(`RCPT TO:<${address}>`) : from;
  await say("RSET");
  return {
    verdict: verdictOn(said, said !== from),
    said: (said.split("\n", 1)[0] ?? "").replace(/(?<![.\s])[.\s]+$/, ""),
  };
}

function verdictOn(said: string, isAboutReceiver: boolean): EnvelopeAnswer["verdict"] {
  if (said.startsWith("2")) return "takes";
  if (said.startsWith("4")) return "later";
  // 5.7 codes are about the right to send; servers without such codes use 530 and 554.
  const isAboutRights = /^5(30|54)|^5\d\d[ -]5\.7\./.test(said);
  return isAboutReceiver && !isAboutRights ? "unknown" : "refuses";
}
