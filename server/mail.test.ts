// Sending e-mail: one address each, no secrets in clear text, and a bounded queue.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { until } from "../tests/house/machine/waiting.ts";
import { MailBox } from "../tests/house/servers/mail-box.ts";
import { Mailer } from "./mail.ts";
import { checkMailServer } from "./mail-check.ts";
import { openLog } from "./telemetry/log.ts";

const { log } = openLog({ logLevel: "silent", secrets: [] });
const from = "Hearth <hearth@house.example>";
const email = (to: string) => ({ to, subject: "Hello", text: "Hello.\n" });

test("whatever an address holds, it is one, and it makes no header", async () => {
  const box = await MailBox.open();
  // One after the other: when the last has arrived, all were tried.
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
  // Not a name of this machine, though it leads here.
  expect(await signedIn((port) => `smtp://salmon:trout@0.0.0.0:${port}`)).toEqual([]);
  const insists = await signedIn((port) => `smtp://salmon:trout@0.0.0.0:${port}?requireTLS=false`);
  expect(insists).toEqual(["salmon:trout"]);
});

/** The credentials received by a server without TLS. */
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

test("an e-mail that was taken, or refused for good, makes room for the next", async () => {
  const box = await MailBox.open();
  const mailer = new Mailer({ url: box.settings.SMTP_URL ?? "", from }, log, undefined, {
    atOnce: 1,
    most: 1,
  });
  box.refusals.push(550);
  for (const name of ["refused", "first", "second"]) {
    await until(() => mailer.send(email(`${name}@people.example`)), `there is no room for the ${name}`);
    expect(mailer.send(email("one-too-many@people.example"))).toBe(false);
  }
  await box.mailTo("second@people.example");
  mailer.close();
  await box.close();
  expect(box.mails.map(({ to }) => to)).toEqual([["first@people.example"], ["second@people.example"]]);
  expect(box.tries).toBe(3);
});

test("the log has the number of a refusal and how often it was tried, and nothing else", async () => {
  const box = await MailBox.open();
  const mailer = new Mailer({ url: box.settings.SMTP_URL ?? "", from }, log);
  using warned = spyOn(log, "warn");
  using failed = spyOn(log, "error");
  box.refusals.push(451, 550);
  expect(await mailer.sendNow(email("alice@people.example"))).toBe("451");
  mailer.send(email("alice@people.example"));
  await until(() => failed.mock.calls.length > 0, "the refusal is not in the log");
  mailer.close();
  await box.close();
  const lines = [warned, failed].flatMap(({ mock }) => mock.calls as unknown[][]);
  const codes = { code: expect.any(String), command: expect.any(String) };
  expect(lines).toEqual([
    [{ ...codes, response_code: 451 }, "a mail could not be sent"],
    [{ ...codes, response_code: 550, tries: 1 }, "a mail could not be sent"],
  ]);
});
