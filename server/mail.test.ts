// Letters on their way: one address each, nothing secret in clear, and a queue that has an end.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { SMTPServer } from "smtp-server";
import { MailBox } from "../tests/house/mail-box.ts";
import { openLog } from "./log.ts";
import { checkMailServer, PostOffice } from "./mail.ts";

const { log } = openLog({ logLevel: "silent", secrets: [] });
const from = "Hearth <hearth@house.example>";
const letter = (to: string) => ({ to, subject: "Hello", text: "Hello.\n" });

test("whatever an address holds, it is one, and it makes no header", async () => {
  const box = await MailBox.open();
  const office = new PostOffice({ url: box.settings.SMTP_URL ?? "", from }, log);
  office.send(letter("alice@people.example, mallory@people.example"));
  office.send(letter("alice@people.example\r\nBcc: mallory@people.example"));
  office.send({ ...letter("bob@people.example"), subject: "Hello\r\nBcc: mallory@people.example" });
  await box.mailTo("bob@people.example");
  await Bun.sleep(100);
  office.close();
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

test("a server that says nothing holds back 200 letters; one more is refused at once", () => {
  const office = new PostOffice({ url: `smtp://127.0.0.1:${mutePort}`, from }, log);
  const taken = Array.from({ length: 210 }, (_, i) => office.send(letter(`person_${i}@people.example`)));
  expect(taken.filter(Boolean)).toHaveLength(200);
  expect(taken.at(-1)).toBe(false);
  office.close();
  expect(office.send(letter("late@people.example"))).toBe(false);
});
