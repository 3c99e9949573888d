// The files that can open a connection, with the kind of address that each connects to. Only server/outbound connects
// to hosts that users name; services of the operator are called with our own timeout.
import { expect, test } from "bun:test";
import { strayed } from "./ratchet.ts";
import { codeOf, isTest, type SourceFile, sourceFiles } from "./tree.ts";

/** Files that connect to the operator's addresses, over a connection of ours or by a library of the protocol. */
const ofOperator = ["server/ask-by-http.ts", "server/mail.ts", "server/mail-check.ts"];

/** The guard, connections to this machine or the database, code that only signs or reads, and a page's script. */
const others = [
  "features/administration/raw-request.ts",
  "features/push/encryption.ts",
  "features/voice/doctor.ts",
  "features/voice/grants.ts",
  "features/voice/livekit.ts",
  "features/voice/present.ts",
  "features/voice/room-client.ts",
  "features/voice/webhook.ts",
  "server/blobs/s3-requests.ts",
  "server/counted-socket.ts",
  "server/database/postgres-pool.ts",
  "server/docs/operations-page.ts",
  "server/http/listen.ts",
  "server/operator/listen.ts",
  "server/operator/socket.ts",
  "server/outbound/network.ts",
  "server/outbound/request.ts",
  "server/wire/connection.ts",
];

const clients =
  /^server\/wire\/connection\.ts$|^(node:)?(http|https|http2|tls|dgram|dns|dns\/promises)$|^(undici|nodemailer|aws4fetch|web-push|livekit-server-sdk|ws)(\/|$)/;
/** Names of `node:net` that open connections; the others only compute with addresses. */
const connects = /\bimport (?:type )?\{[^}]*\b(connect|createConnection|Socket)\b[^}]*\} from "node:net"/;
const calls =
  /(?<![.#\w])(?:globalThis\.)?fetch\(|\bBun\.(connect|udpSocket)\b|\bnew (WebSocket|EventSource)\(/;

function isWayOut(file: SourceFile): boolean {
  const code = codeOf(file);
  return file.loads.some((to) => clients.test(to)) || connects.test(code) || calls.test(code);
}

const program = sourceFiles("server", "features", "cli").filter(
  (file) => !isTest(file) && !file.path.includes("/view/"),
);
const ways = program.filter(isWayOut).map(({ path }) => path);

test("no other file opens a connection: a host that people name is asked by sendRequest of server/outbound", () => {
  const remedy = "use sendRequest, or name it in this test when the operator gives its address";
  expect(strayed(ways, [...ofOperator, ...others], remedy)).toEqual([]);
});

test("what the operator names is asked within a clock of our own", () => {
  const files = program.filter(({ path }) => ofOperator.includes(path));
  expect(files.filter((file) => !/\b(within|inTime)\(/.test(codeOf(file))).map(({ path }) => path)).toEqual(
    [],
  );
  const signals = files.filter((file) => /\bAbortSignal\.timeout\(/.test(codeOf(file)));
  expect(signals.map(({ path }) => path)).toEqual([]);
});

test("no answer of those is read without a bound of its bytes", () => {
  const whole = /\bawait \(?(?:await )?\w+\.(json|text|bytes|arrayBuffer|blob|formData)\(\)/;
  const files = program.filter(
    (file) => ofOperator.includes(file.path) || /\baskByHttp\(/.test(codeOf(file)),
  );
  expect(files.filter((file) => whole.test(codeOf(file))).map(({ path }) => path)).toEqual([]);
});

test("a new way out is seen: by a client, a socket or a call", () => {
  const says = (text: string, loads: string[] = []): SourceFile => ({
    path: "features/a/b.ts",
    text,
    imports: loads,
    loads,
  });
  for (const text of [
    "await fetch(url);",
    "new WebSocket(url);",
    "Bun.connect({});",
    "globalThis.fetch(url);",
  ])
    expect([text, isWayOut(says(text))]).toEqual([text, true]);
  expect(isWayOut(says('import { connect } from "node:net";'))).toBe(true);
  expect(isWayOut(says("", ["node:https"]))).toBe(true);
  for (const text of ["this.#fetch(url);", "const fetching = 1;", 'import { isIP } from "node:net";'])
    expect([text, isWayOut(says(text))]).toEqual([text, false]);
});
