// Requests to hosts with every kind of fault: each ends in time with an error, and leaves no connection behind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer } from "node:net";
import { hostOf, MisbehavingHosts } from "../../tests/doubles/misbehaving-hosts.ts";
import { type Misdeed, misdeeds } from "../../tests/doubles/misdeeds.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { png } from "../../tests/house/scenes/files.ts";
import { sendRequest } from "./request.ts";

let hosts: MisbehavingHosts;
beforeAll(async () => {
  hosts = await MisbehavingHosts.open();
});
afterAll(() => hosts.close());

const mebibyte = 1024 * 1024;
/** Misdeeds of hosts that send nothing wrong, and never finish. */
const endless = /silence|and then nothing|no ear|byte by byte|at a time|half a record/;
/** Timeouts for those, and for all others: long enough for a busy machine to serve all at once. */
const briefMs = 500;
const patienceMs = 120_000;
/** The number of requests to hosts that do not read. */
let deaf = 0;

function ask(url: string, withinMs = patienceMs, closing?: AbortSignal) {
  return sendRequest(hosts.network(), {
    ...{ method: "GET", url: new URL(url), headers: {}, bodyMax: mebibyte, mostBody: () => mebibyte },
    ...{ until: performance.now() + withinMs, closing },
  });
}

/** How a request to such a host ends, in a word. */
function outcome(misdeed: Misdeed, protocol: string): Promise<string> {
  const withinMs = endless.test(misdeed.what) ? briefMs : patienceMs;
  if (/no ear/.test(misdeed.what)) deaf++;
  return ask(`${protocol}://${hostOf(misdeed)}/`, withinMs).then(
    ({ status, body }) => `${status}, ${body.length} bytes`,
    (error) => (error.name === "Late" ? "late" : "refused"),
  );
}

/** A host that does not read notices a closed connection only seconds later: the last test waits for these, too. */
function untilClosed(): Promise<void> {
  return until(() => hosts.open <= deaf, "a connection is still open");
}

test("a house that closes ends them all at once, whatever they are at", async () => {
  const closing = new AbortController();
  const asked = misdeeds
    .filter(({ what }) => endless.test(what))
    .map((each) =>
      ask(`https://${hostOf(each)}/`, patienceMs, closing.signal).catch((error) => error.message),
    );
  deaf++;
  await until(() => hosts.open >= asked.length, "they were not reached");
  closing.abort(new Error("the house closes"));
  expect(new Set(await Promise.all(asked))).toEqual(new Set(["the house closes"]));
  await untilClosed();
  expect(await ask(hosts.goodUrl, patienceMs, closing.signal).catch((error) => error.message)).toBe(
    "the house closes",
  );
});

for (const protocol of ["http", "https"]) {
  test(`by ${protocol}, ${misdeeds.length} misdeeds at once: each is refused, or ended by the clock`, async () => {
    const found = await Promise.all(misdeeds.map((each) => outcome(each, protocol)));
    const expected = misdeeds.map(({ what }) => {
      if (what === "a redirect to itself") return "302, 0 bytes";
      return endless.test(what) ? "late" : "refused";
    });
    expect(Object.fromEntries(misdeeds.map(({ what }, i) => [what, found[i]]))).toEqual(
      Object.fromEntries(misdeeds.map(({ what }, i) => [what, expected[i]])),
    );
    await untilClosed();
  });
}

test("there are more than forty misdeeds, each with a name of its own", () => {
  expect(new Set(misdeeds.map(({ what }) => what)).size).toBe(misdeeds.length);
  expect(misdeeds.length).toBeGreaterThan(40);
});

test("beside them a host that answers as it should is heard, by both protocols, also after one interim answer", async () => {
  const bad = misdeeds.map((each) => outcome(each, "https"));
  for (const url of [hosts.goodUrl, hosts.goodUrl.replace("http", "https")]) {
    const { status, body } = await ask(url);
    expect([status, Buffer.from(body).equals(png)]).toEqual([200, true]);
  }
  await Promise.all(bad);
});

test("over TLS the certificate must be the name's, and an address has to be in it like a name", async () => {
  const codes = ["other.example", "93.184.216.34"].map((host) =>
    ask(`https://${host}/`).catch((error) => error.code),
  );
  expect(await Promise.all(codes)).toEqual(Array(2).fill("ERR_TLS_CERT_ALTNAME_INVALID"));
  await until(() => hosts.open === 0, "a connection is still open");
});

test("a host that was reached is not asked again at its next address; where nobody listens three are tried", async () => {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      asked++;
      socket.resetAndDestroy();
    });
  });
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  const { port } = server.address() as { port: number };
  const addresses = Array.from({ length: 5 }, (_, i) => `93.184.216.${i}`);
  const triedAt = async (port: number) => {
    const tried: string[] = [];
    const route = (address: string) => {
      tried.push(address);
      return { host: "127.0.0.1", port };
    };
    const sending = { method: "POST", url: new URL("http://many.example/"), headers: {} } as const;
    const until = performance.now() + patienceMs;
    await sendRequest({ lookup: async () => addresses, route }, { ...sending, until }).catch(() => {});
    return tried;
  };
  expect([await triedAt(port), asked]).toEqual([addresses.slice(0, 1), 1]);
  await new Promise<void>((closed) => server.close(() => closed()));
  expect(await triedAt(port)).toEqual(addresses.slice(0, 3));
});
