// Services of the operator that misbehave over TLS, with a certificate of an authority that the operator names: each
// call ends in time with an error.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterHead } from "../doubles/misbehaving-backends.ts";
import { TlsBackends } from "../doubles/tls-backends.ts";
import { authority } from "../doubles/tls-certificates.ts";
import {
  rightCertificate,
  type TlsMisdeed,
  tlsMisdeeds,
  wordsOfHttp,
  wordsOfMail,
} from "../doubles/tls-misdeeds.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { until } from "../house/machine/waiting.ts";
import type { Outcomes, Services } from "./asking.ts";

const services = new TlsBackends();
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = temporaryFolder();
  await Bun.write(join(folder.path, "authority.pem"), authority);
});
afterAll(() => {
  services[Symbol.dispose]();
  folder.remove();
});

const http = { words: wordsOfHttp, heard: afterHead };
const smtps = { words: wordsOfMail, heard: (_: Socket, begin: () => void) => begin() };
const starttls = { ...smtps, heard: onHello, before: offerTls };

/** Waits for the client's greeting, which a mail server gets again after TLS begins. */
function onHello(socket: Socket, begin: () => void): void {
  socket.once("data", begin);
}

/** The part of a mail server's dialogue that comes before TLS. */
function offerTls(wire: Socket, then: () => void): void {
  wire.write("220 mail.example\r\n");
  wire.once("data", () => {
    wire.write("250-mail.example\r\n250 STARTTLS\r\n");
    wire.once("data", () => {
      then();
      wire.write("220 Go ahead\r\n");
    });
  });
}

/** Returns the outcomes of all calls; unless `mayKeep`, only after every connection was closed. */
async function asked(given: Services, mayKeep = false): Promise<Outcomes> {
  const program = Bun.spawn([process.execPath, join(import.meta.dir, "asking.ts"), JSON.stringify(given)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder.path, "authority.pem") },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  let said = "";
  for await (const text of program.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.includes("\n")) break;
  }
  await until(() => mayKeep || services.open === 0, "a connection is still open");
  program.stdin.end();
  await program.exited;
  return JSON.parse(said);
}

async function portsOf(
  misdeeds: readonly TlsMisdeed[],
  manners: Parameters<TlsBackends["listen"]>[1],
): Promise<Record<string, number>> {
  const ports = misdeeds.map(async (each) => [each.what, await services.listen(each, manners)] as const);
  return Object.fromEntries(await Promise.all(ports));
}

/** Misdeeds that come after the correct beginning of an answer. */
const isAnswer = /within an answer|in place of a record|(at a time|without end) within TLS/;

test(`${tlsMisdeeds.length} misdeeds of each service, all at once: each call fails`, async () => {
  const found = await asked({
    http: await portsOf(tlsMisdeeds, http),
    smtps: await portsOf(tlsMisdeeds, smtps),
    starttls: await portsOf(tlsMisdeeds, starttls),
  });
  for (const [call, came] of Object.entries(found))
    for (const [what, how] of Object.entries(came)) {
      // A write is done with the head of the answer: the body is not waited for.
      const mayBeDone = call === "write" && isAnswer.test(what);
      expect([call, what, how]).toEqual([
        call,
        what,
        mayBeDone ? expect.stringMatching(/^(done|failed)$/) : "failed",
      ]);
    }
});

test("a service that does nothing wrong is trusted by that authority", async () => {
  // One body for all callers: each finds what it expects.
  const list = "<ListBucketResult></ListBucketResult>";
  const body = JSON.stringify({ result: true, data: { data: [] }, rooms: [], list });
  const good: TlsMisdeed = {
    what: "nothing",
    say: (socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  };
  const port = async (options: object) => {
    const server = new SMTPServer({ logger: false, authOptional: true, ...rightCertificate, ...options });
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    return { nothing: (server.server.address() as AddressInfo).port };
  };
  const given = {
    http: await portsOf([good], http),
    smtps: await port({ secure: true }),
    starttls: await port({}),
  };
  const found = await asked(given, true);
  expect(Object.entries(found).filter(([, { nothing }]) => nothing !== "done")).toEqual([]);
});
