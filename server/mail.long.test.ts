// The log of a running server about e-mails that fail: it has the reason, and nobody's address.
import { describe, expect, test } from "bun:test";
import { SMTPServer } from "smtp-server";
import { temporaryFolder } from "../tests/house/machine/folder.ts";
import { startServer } from "../tests/house/machine/process.ts";
import { until } from "../tests/house/machine/waiting.ts";
import { send, TestPerson } from "../tests/house/people/people.ts";

const from = "Hearth <hearth@house.example>";

describe("the log tells failures apart, and names nobody:", () => {
  /** The log line of the first failure of an e-mail to Alice. */
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

  /** Runs `work` with a mail server that has a self-signed certificate. */
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
