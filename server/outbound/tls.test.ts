// Requests to hosts with faulty TLS: each ends in time with an error, and leaves no connection behind.
import { afterAll, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { afterHead } from "../../tests/doubles/misbehaving-backends.ts";
import { TlsBackends } from "../../tests/doubles/tls-backends.ts";
import { authority } from "../../tests/doubles/tls-certificates.ts";
import { type TlsMisdeed, tlsMisdeeds, wordsOfHttp } from "../../tests/doubles/tls-misdeeds.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { sendRequest } from "./request.ts";

const services = new TlsBackends();
afterAll(() => services[Symbol.dispose]());

const mebibyte = 1024 * 1024;
/** Misdeeds of hosts that send nothing wrong, and never finish. */
const endless = /silence|byte by byte|half a record|at a time/;
/** Timeouts for those, and for all others: long enough for a busy machine to serve all at once. */
const briefMs = 500;
const patienceMs = 120_000;

async function ask(misdeed: TlsMisdeed): Promise<string> {
  const withinMs = endless.test(misdeed.what) ? briefMs : patienceMs;
  const port = await services.listen(misdeed, { words: wordsOfHttp, heard: afterHead });
  const network = {
    lookup: async () => ["93.184.216.34"],
    route: () => ({ host: "127.0.0.1", port, ca: authority }),
  };
  const answer = sendRequest(network, {
    ...{ method: "GET", url: new URL("https://tls.misbehaving.example/"), headers: {} },
    ...{ bodyMax: mebibyte, mostBody: () => mebibyte, until: performance.now() + withinMs },
  });
  return answer.then(
    ({ status, body }) => `${status}, ${body.length} bytes`,
    (error) => (error.name === "Late" ? "late" : (error.code ?? "refused")),
  );
}

const certificates: Record<string, string> = {
  "the certificate of another name": "ERR_TLS_CERT_ALTNAME_INVALID",
  "an expired certificate": "CERT_HAS_EXPIRED",
  "a certificate signed by itself": "DEPTH_ZERO_SELF_SIGNED_CERT",
};

test(`${tlsMisdeeds.length} misdeeds at once: each is refused, or ended by the clock`, async () => {
  const found = await Promise.all(tlsMisdeeds.map(async (each) => [each.what, await ask(each)] as const));
  const expected = tlsMisdeeds.map(({ what }) => {
    const refused = certificates[what] ?? expect.stringMatching(/^(refused|ECONNRESET|ERR_SSL_\w+)$/);
    return [what, endless.test(what) ? "late" : refused];
  });
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  await until(() => services.open === 0, "a connection is still open");
});

test("an answer that is complete is taken, whether TLS is said to end or not", async () => {
  const saying = (headers: string, after: (socket: Socket, wire: Socket) => void): TlsMisdeed => ({
    what: "nothing",
    say(socket, wire) {
      socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\nok`);
      setTimeout(() => after(socket, wire), 50);
    },
  });
  const found = await Promise.all([
    ask(saying("", (socket) => socket.end())),
    ask(saying("Content-Length: 2\r\n", (_, wire) => wire.end())),
  ]);
  expect(found).toEqual(["200, 2 bytes", "200, 2 bytes"]);
});
