// E-mails on their way: one address each, nothing secret in clear, and a queue that has an end.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { temporaryFolder } from "../tests/house/folder.ts";
import { MailBox } from "../tests/house/mail-box.ts";
import { send, TestPerson } from "../tests/house/people.ts";
import { startServer } from "../tests/house/process.ts";
import { until } from "../tests/house/waiting.ts";
import { Mailer } from "./mail.ts";
import { checkMailServer } from "./mail-check.ts";
import { openLog } from "./telemetry/log.ts";

const { log } = openLog({ logLevel: "silent", secrets: [] });
const from = "Hearth <hearth@house.example>";
const email = (to: string) => ({ to, subject: "Hello", text: "Hello.\n" });

test("whatever an address holds, it is one, and it makes no header", async () => {
  const box = await MailBox.open();
  // One after the other: the last has come when all were tried.
  const mailer = new Mailer({ url: box.settings.SMTP_URL ?? "", from }, log, undefined, {
    atOnce: 1,
    most: 200,
  });
  mailer.send(email("alice@people.example, mallory@people.example"));
  mailer.send(email("alice@people.example\r\nBcc: mallory@people.example"));
  mailer.send({ ...email("bob@people.example"), subject: "Hello\r\nBcc: mallory@people.example" });
  await box.mailTo("bob@people.example");
  mailer.close();
  await box.close();
  for (const mail of box.mails) {
    expect(mail.to).toHaveLength(1);
    expect(mail.to).not.toContain("mallory@people.example");
    expect(mail.raw).not.toMatch(/^Bcc:/im);
  }
});

test("the user and the password of SMTP_URL arrive as they are meant, signs in them included", async () => {
  const heard = await signedIn((port) => `smtp://sal%40mon:tr%3Aou%2Ft%25@127.0.0.1:${port}`);
  expect(heard).toEqual(["sal@mon:tr:ou/t%"]);
});

test("a password is not said in clear to another machine, unless the operator insists", async () => {
  // Not the name of this machine, though it leads here.
  expect(await signedIn((port) => `smtp://salmon:trout@0.0.0.0:${port}`)).toEqual([]);
  const insists = await signedIn((port) => `smtp://salmon:trout@0.0.0.0:${port}?requireTLS=false`);
  expect(insists).toEqual(["salmon:trout"]);
});

/** Who signed in at a server without TLS, and with what. */
async function signedIn(url: (port: number) => string): Promise<string[]> {
  const heard: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    onAuth(auth, _session, done) {
      heard.push(`${auth.username}:${auth.password}`);
      done(null, { user: auth.username });
    },
  });
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  const { port } = server.server.address() as { port: number };
  await checkMailServer({ url: url(port), from }).catch(() => {});
  await new Promise<void>((closed) => server.close(() => closed()));
  return heard;
}

let mute: Server;
let mutePort = 0;
beforeAll(async () => {
  mute = createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((open) => mute.listen(0, "127.0.0.1", open));
  mutePort = (mute.address() as { port: number }).port;
});
afterAll(() => mute.close());

test("a server that says nothing holds back 200 e-mails; one more is refused at once", () => {
  const mailer = new Mailer({ url: `smtp://127.0.0.1:${mutePort}`, from }, log);
  const taken = Array.from({ length: 210 }, (_, i) => mailer.send(email(`person_${i}@people.example`)));
  expect(taken.filter(Boolean)).toHaveLength(200);
  expect(taken.at(-1)).toBe(false);
  mailer.close();
  expect(mailer.send(email("late@people.example"))).toBe(false);
});

test("what is under way at the end is broken off, and its connection closed", async () => {
  const mailer = new Mailer({ url: `smtp://127.0.0.1:${mutePort}`, from }, log);
  const connected = new Promise<Socket>((connect) => mute.once("connection", connect));
  mailer.send(email("alice@people.example"));
  const connection = await connected;
  const closed = new Promise<void>((close) => connection.once("close", () => close()));
  connection.resume();
  mailer.close();
  await closed;
});

describe("the log tells failures apart, and names nobody:", () => {
  /** The line of the first failure of an e-mail to Alice. */
  async function lineOf(url: string): Promise<Record<string, unknown>> {
    const folder = temporaryFolder();
    const settings = { DATA_DIR: folder.path, SMTP_URL: url, MAIL_FROM: from, LOG_LEVEL: "warn" };
    const running = await startServer({ settings });
    const alice = await TestPerson.register(running, "alice");
    await send(running, undefined, "POST", "/auth/password/forgot", { email: alice.email });
    const line = () => running.stderr().match(/^.*a mail could not be sent.*$/m)?.[0] ?? "";
    await until(() => line() !== "", "nothing was logged");
    await running.stop();
    folder.remove();
    for (const secret of [alice.email, "hr_", "trout", "@"]) expect(running.stderr()).not.toContain(secret);
    return JSON.parse(line());
  }

  /** A mail server with a certificate of its own making. */
  async function withServer(options: object, work: (port: number) => Promise<void>): Promise<void> {
    const server = new SMTPServer({ logger: false, authOptional: true, ...options });
    server.on("error", () => {});
    await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    try {
      await work((server.server.address() as { port: number }).port);
    } finally {
      await new Promise<void>((closed) => server.close(() => closed()));
    }
  }

  test("nobody listens", async () => {
    expect(await lineOf("smtp://salmon:trout@127.0.0.1:9")).toMatchObject({
      reason: "ECONNREFUSED",
      command: "CONN",
    });
  });

  test("the certificate is not trusted, from the start and by STARTTLS", async () => {
    const untrusted = { reason: expect.stringMatching(/CERT/), command: "CONN" };
    await withServer({ secure: true }, async (port) => {
      expect(await lineOf(`smtps://127.0.0.1:${port}`)).toMatchObject(untrusted);
    });
    await withServer({}, async (port) => {
      expect(await lineOf(`smtp://127.0.0.1:${port}`)).toMatchObject(untrusted);
    });
  });

  test("TLS against clear text", async () => {
    await withServer({ disabledCommands: ["STARTTLS"] }, async (port) => {
      expect(await lineOf(`smtps://127.0.0.1:${port}`)).toMatchObject({
        reason: "ERR_SSL_WRONG_VERSION_NUMBER",
      });
    });
  });

  test("the server refuses: its number, without the words, in which an address can stand", async () => {
    const onRcptTo = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error("no mail for alice@people.example"), { responseCode: 550 }));
    await withServer({ disabledCommands: ["STARTTLS"], onRcptTo }, async (port) => {
      expect(await lineOf(`smtp://127.0.0.1:${port}`)).toMatchObject({
        code: "EENVELOPE",
        response_code: 550,
      });
    });
  });
});
