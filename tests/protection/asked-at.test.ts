// T67: without PUBLIC_URL, a page may call the address that it is served from, if no outsider can own that address.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";

/** A person, and the channel in which a page would post in their name. */
interface Caller {
  house: TestHouse;
  person: TestPerson;
  channelId: string;
}

async function callerOf(settings: Record<string, string>): Promise<Caller> {
  const house = await makeHouse("SQLite", { LOG_LEVEL: "silent", RATE_LIMITS: "off", ...settings });
  await house.open();
  const person = await house.person("alice");
  return { house, person, channelId: (await person.makeServer()).general.id };
}

let house: TestHouse;
let alice: Caller;
beforeAll(async () => {
  alice = await callerOf({ HOST: "0.0.0.0" });
  house = alice.house;
});
afterAll(() => house.end());

/** The status of the answer to a request that consists of these lines. */
function statusOf({ url }: TestHouse, lines: readonly string[], body = ""): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname === "0.0.0.0" ? "127.0.0.1" : hostname);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (!status) return;
      socket.destroy();
      resolve(Number(status));
    });
    socket.on("close", () => reject(new Error(`closed after "${text}"`)));
    socket.on("error", () => {});
    socket.write([...lines, "", body].join("\r\n"));
  });
}

interface Asked {
  host: string;
  origin: string;
}

function write({ house, person, channelId }: Caller, { host, origin }: Asked): Promise<number> {
  const body = JSON.stringify({ content: "Said by a page" });
  const lines = [
    ...[`POST /api/v1/channels/${channelId}/messages HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`],
    ...[`Cookie: app_session=${person.token}`, "Content-Type: application/json"],
    `Content-Length: ${body.length}`,
  ];
  return statusOf(house, lines, body);
}

function socket(to: TestHouse, path: string, { host, origin }: Asked): Promise<number> {
  const lines = [
    ...[`GET ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`, "Upgrade: websocket"],
    ...["Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
  ];
  return statusOf(to, lines);
}

/** The statuses of a write, and of an upgrade at both addresses of the gateway. */
function everywhere(caller: Caller, asked: Asked): Promise<number[]> {
  const sockets = ["/ws", "/api/v1/ws"].map((path) => socket(caller.house, path, asked));
  return Promise.all([write(caller, asked), ...sockets]);
}

const letIn = [201, 101, 101];
const refused = [403, 403, 403];

/** A page of this host calls the same host. */
const atHost = (host: string, scheme = "http"): Asked => ({ host, origin: `${scheme}://${host}` });

/** Addresses and names that no outsider can own. */
const ofHome = [
  ...["192.168.1.5", "10.0.0.1", "198.51.100.7", "[fd00::5]", "[fe80::1]", "[::ffff:c0a8:105]"],
  ...["nas", "my_nas", "xn--kche-0ra", "nas.local", "chat.lan", "hearth.internal", "nas.home.arpa"],
  ...["127.0.0.1.local", "evil.example.lan"],
];

/** Names that others can own, and spellings that no browser writes. */
const ofOthers = [
  ...["evil.example", "EVIL.EXAMPLE", "evil.example.", "evil.local.example", "nas.lan.evil.example"],
  ...["127.0.0.1.evil.example", "192.168.1.5.evil.example", "notlan.com", "x.home.arpa.com"],
  ...["nas.localhost", "nas.test", "nas.home", "home.arpa", "arpa.lan.", "nas.", "nas.local.", "evil.arpa"],
  ...["0x7f.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "127.0.1", "0"],
  ...["127.0.0.1.", "192.168.001.005", "0xc0.0xa8.1.5", "256.1.1.1", "1.2.3.4.5", "..local", "nas..local"],
  ...["[::ffff:192.168.1.5]", "[fd00:0:0:0:0:0:0:5]", "[fd00::5", "fd00::5", "[fe80::1%eth0]", "[]"],
  ...["-nas", "nas-", "-.local", "n%61s", "nas,evil", "evil@nas", "nas/evil", "nas evil"],
];

describe("without PUBLIC_URL, at the address that is called,", () => {
  for (const host of ofHome) {
    test(`${host} is let in, whatever its port and scheme`, async () => {
      for (const asked of [`${host}:8080`, host, `${host}:1`, `${host}:65535`])
        for (const scheme of ["http", "https"])
          expect([asked, await everywhere(alice, atHost(asked, scheme))]).toEqual([asked, letIn]);
    });
  }

  for (const host of ofOthers) {
    test(`${host} is refused`, async () => {
      for (const asked of [host, `${host}:8080`])
        for (const status of await everywhere(alice, atHost(asked))) expect([400, 403]).toContain(status);
    });
  }

  test("a host that is spelled otherwise is none of the page's, though it is the same machine", async () => {
    for (const host of ["0x7f.1", "127.1", "2130706433", "0177.0.0.1", "127.0.0.1."])
      expect(await everywhere(alice, { host, origin: "http://127.0.0.1" })).toEqual(refused);
    for (const host of ["[::ffff:192.168.1.5]:8080", "[FD00:0::5]:8080"]) {
      const { origin } = new URL(`http://${host}`);
      for (const status of await everywhere(alice, { host, origin })) expect([400, 403]).toContain(status);
    }
  });

  test("an Origin of another port, or of none, or of another host, is refused", async () => {
    const wrong: Asked[] = ["192.168.1.5", "[fd00::5]", "nas", "nas.local"].flatMap((host) => [
      ...[`http://${host}:8081`, `http://${host}`, "http://other", `http://${host}:8080.evil.example`].map(
        (origin) => ({ host: `${host}:8080`, origin }),
      ),
      ...[`http://${host}:8080/`, `http://x@${host}:8080`, `ftp://${host}:8080`, "null", `${host}:8080`].map(
        (origin) => ({ host: `${host}:8080`, origin }),
      ),
      { host, origin: `http://${host}:8080` },
      { host: `sub.${host}`, origin: `http://${host}` },
    ]);
    wrong.push(
      { host: "NAS:8080", origin: "http://NAS:8080" },
      { host: "nas:8080", origin: "HTTP://nas:8080" },
    );
    wrong.push({ host: "nas:08080", origin: "http://nas:8080" }, { host: "nas:", origin: "http://nas" });
    for (const asked of wrong) {
      for (const status of await everywhere(alice, asked)) expect([400, 403]).toContain(status);
    }
  });

  test("the port that a scheme means anyway may be said, and a host may be shouted", async () => {
    for (const asked of [
      { host: "nas:80", origin: "http://nas" },
      { host: "nas.local:443", origin: "https://nas.local" },
      { host: "NAS.Local:8080", origin: "http://nas.local:8080" },
      { host: "[FD00::5]:8080", origin: "http://[fd00::5]:8080" },
    ])
      expect([asked, await everywhere(alice, asked)]).toEqual([asked, letIn]);
  });

  test("a page of others is refused whichever host it names", async () => {
    for (const origin of ["http://evil.example", "http://evil.example:8080", "http://evil.lan"])
      for (const host of ["192.168.1.5:8080", "nas:8080", "evil.example:8080", "localhost"])
        expect(await everywhere(alice, { host, origin })).toEqual(refused);
  });

  test("who calls is looked at behind that: nobody is registered from a name that others can own", async () => {
    const lines = (host: string) => [
      ...["POST /api/v1/auth/register HTTP/1.1", `Host: ${host}`, `Origin: http://${host}`],
      ...["Content-Type: application/json", "Content-Length: 2"],
    ];
    expect(await statusOf(house, lines("evil.example:8080"), "{}")).toBe(403);
    expect(await statusOf(house, lines("nas.local:8080"), "{}")).toBe(400);
  });
});

test("with PUBLIC_URL only that address and the server's own count, whatever Host says", async () => {
  const bob = await callerOf({ PUBLIC_URL: "https://chat.example" });
  for (const host of ["192.168.1.5:8080", "nas:8080", "nas.local"])
    expect(await everywhere(bob, atHost(host))).toEqual(refused);
  const { host } = new URL(bob.house.url);
  expect(await everywhere(bob, { host, origin: "https://chat.example" })).toEqual(letIn);
  await bob.house.end();
});
