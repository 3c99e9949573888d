// A program that calls services over TLS as Hearth does, with timeouts of 2 s, and prints the outcomes. The authority
// that it trusts is named in its environment, which the runtime reads only at the start.
import { createHash } from "node:crypto";
import { askProvider } from "../../features/gifs/asking.ts";
import { roomClient } from "../../features/voice/room-client.ts";
import { S3Fault } from "../../server/blobs/s3-faults.ts";
import { S3Objects } from "../../server/blobs/s3-objects.ts";
import { Mailer } from "../../server/mail.ts";
import { checkMailServer } from "../../server/mail-check.ts";
import { openLog } from "../../server/telemetry/log.ts";

/** Ports by the behaviour of the service there. */
type Ports = Record<string, number>;
export type Services = Record<"http" | "smtps" | "starttls", Ports>;
/** The outcome of each call at each service, in a word. */
export type Outcomes = Record<string, Record<string, string>>;

const patienceMs = 2000;
const { log } = openLog({ logLevel: "silent", secrets: [] });
const from = "Hearth <hearth@house.example>";
const email = { to: "alice@people.example", subject: "Hello", text: "Hello.\n" };
const bytes = new Uint8Array(300_000).fill(7);
const body = { bytes: new Blob([bytes]), sha256: createHash("sha256").update(bytes).digest("hex") };

function storeAt(port: number): S3Objects {
  const settings = { region: "us-east-1", keyId: "key", secret: "secret" };
  const clocks = { answerMs: patienceMs, sendMs: patienceMs };
  return new S3Objects({ url: `https://127.0.0.1:${port}/bucket`, ...settings }, clocks);
}

function ended(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error) => (error instanceof Error ? "failed" : "no error"),
  );
}

function endedAtStore(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error) => (error instanceof S3Fault ? "failed" : String(error)),
  );
}

const byHttp: Record<string, (port: number) => Promise<string>> = {
  async gifs(port) {
    const given = { provider: "klipy", key: "key", url: `https://127.0.0.1:${port}` } as const;
    const { gifs } = await askProvider(given, { words: "cats", limit: 1 }, patienceMs);
    return gifs ? "done" : "failed";
  },
  rooms(port) {
    const settings = { url: `wss://127.0.0.1:${port}`, key: "key", secret: "x".repeat(40) };
    return ended(roomClient(settings, patienceMs).listRooms());
  },
  list: (port) => endedAtStore(storeAt(port).all().next()),
  write: (port) => endedAtStore(storeAt(port).put("name", body)),
};

const byMail: Record<string, (url: string) => Promise<string>> = {
  async send(url) {
    const trouble = await new Mailer({ url, from }, log, patienceMs).sendNow(email);
    return trouble === undefined ? "done" : "failed";
  },
  check: (url) => ended(checkMailServer({ url, from }, patienceMs)),
};

async function outcomes({ http, smtps, starttls }: Services): Promise<Outcomes> {
  const found: Outcomes = {};
  const each = async (call: string, ports: Ports, ask: (port: number) => Promise<string>) => {
    const came = Object.entries(ports).map(async ([what, port]) => [what, await ask(port)] as const);
    found[call] = Object.fromEntries(await Promise.all(came));
  };
  await Promise.all([
    ...Object.entries(byHttp).map(([call, ask]) => each(call, http, ask)),
    ...Object.entries(byMail).flatMap(([call, ask]) => [
      each(`${call} by smtps`, smtps, (port) => ask(`smtps://127.0.0.1:${port}`)),
      each(`${call} by STARTTLS`, starttls, (port) => ask(`smtp://127.0.0.1:${port}`)),
    ]),
  ]);
  return found;
}

console.log(JSON.stringify(await outcomes(JSON.parse(process.argv[2] ?? ""))));
// Waits until the test has checked that no connection is left.
await Bun.stdin.text();
process.exit();
