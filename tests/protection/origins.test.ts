// T9: a page of another origin cannot make a browser change anything here.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { expectRefusal } from "../routes/error-body.ts";
import { routes, titleOf } from "../routes/walk.ts";

const evil = "https://evil.example";
let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {
    PUBLIC_URL: "https://app.example",
    TRUSTED_ORIGINS: "https://partner.example, http://localhost:5173",
  });
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

function makeServer(headers: Record<string, string>) {
  return send(
    house,
    undefined,
    "POST",
    "/servers",
    { name: "Made by a page" },
    {
      Cookie: `app_session=${alice.token}`,
      ...headers,
    },
  );
}

async function serverCount(): Promise<number> {
  return (await alice.get<unknown[]>("/servers")).body.length;
}

const untrusted = [
  evil,
  "null",
  "https://app.example.evil",
  "https://evil-app.example",
  "https://sub.app.example",
  "https://app.example:8443",
  "http://app.example",
  "HTTPS://APP.EXAMPLE",
  "https://app.example/",
  "https://app.example@evil.example",
  "https://app.example, https://evil.example",
  "file://",
  "app.example",
  "*",
];

describe("a state-changing call", () => {
  for (const origin of untrusted) {
    test(`from ${origin} is refused and makes nothing`, async () => {
      const before = await serverCount();
      expectRefusal(await makeServer({ Origin: origin }), "untrusted_origin");
      expect(await serverCount()).toBe(before);
    });
  }

  test("from the public URL, the server's own address or a trusted origin is let in", async () => {
    for (const origin of [
      "https://app.example",
      house.url,
      "https://partner.example",
      "http://localhost:5173",
    ]) {
      expect((await makeServer({ Origin: origin })).status).toBe(201);
    }
  });

  test("without Origin is let in, unless the browser says that it crosses sites", async () => {
    for (const site of ["same-origin", "same-site", "none"]) {
      expect((await makeServer({ "Sec-Fetch-Site": site })).status).toBe(201);
    }
    expect((await makeServer({})).status).toBe(201);
    const before = await serverCount();
    expectRefusal(await makeServer({ "Sec-Fetch-Site": "cross-site" }), "untrusted_origin");
    expect(await serverCount()).toBe(before);
  });

  test("from a neighbour of the server's own address is refused", async () => {
    const port = Number(new URL(house.url).port);
    for (const origin of [`http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`, "http://127.0.0.1"]) {
      expectRefusal(await makeServer({ Origin: origin }), "untrusted_origin");
    }
  });

  test("is looked at before who calls: login and registration are guarded too", async () => {
    for (const path of ["/auth/login/password", "/auth/register", "/servers"]) {
      expectRefusal(await send(house, undefined, "POST", path, {}, { Origin: evil }), "untrusted_origin");
    }
  });

  for (const { operation, unknownPath } of routes) {
    if (operation.method === "GET") continue;
    test(`${titleOf(operation)} guards itself`, async () => {
      const answer = await send(house, alice.token, operation.method, unknownPath, {}, { Origin: evil });
      expectRefusal(answer, "untrusted_origin");
    });
  }
});

describe("a call that changes nothing", () => {
  test("is answered, but no header lets the foreign page read it", async () => {
    const answer = await send(house, alice.token, "GET", "/servers", undefined, { Origin: evil });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test("a preflight is told nothing", async () => {
    const answer = await fetch(`${house.url}/api/v1/servers`, {
      method: "OPTIONS",
      headers: { Origin: evil, "Access-Control-Request-Method": "POST" },
    });
    expect(answer.status).toBe(405);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});

describe("a socket (T48)", () => {
  test("from a foreign page is refused before the upgrade, cookie or not", async () => {
    for (const origin of [evil, "null", "https://app.example.evil", "http://app.example"]) {
      const headers = { Origin: origin, Cookie: `app_session=${alice.token}` };
      await expect(Ear.connect(house.url, headers)).rejects.toThrow("the upgrade was refused");
      for (const path of ["/ws", "/api/v1/ws"]) {
        const answer = await upgrade(path, headers);
        expectRefusal(answer, "untrusted_origin");
      }
    }
  });

  test("from the public URL opens, and the cookie counts", async () => {
    const headers = { Origin: "https://app.example", Cookie: `app_session=${alice.token}` };
    const ear = await Ear.open(house.url, undefined, undefined, headers);
    expect(ear.ready.user?.id as unknown).toBe(alice.id);
    ear.close();
  });
});

async function upgrade(path: string, headers: Record<string, string>) {
  const response = await fetch(house.url + path, {
    headers: {
      Upgrade: "websocket",
      Connection: "Upgrade",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("a server that listens on every interface, with no public address set", () => {
  let open: TestHouse;
  let olga: TestPerson;
  beforeAll(async () => {
    open = await makeHouse("SQLite", { HOST: "0.0.0.0", LOG_LEVEL: "silent" });
    await open.open();
    olga = await open.person("olga");
  });
  afterAll(() => open.end());

  const from = (origin: string) =>
    send(open, olga.token, "POST", "/servers", { name: "Home" }, { Origin: origin });

  test("is called by pages under each of the machine's own names, at its port only", async () => {
    const { port } = new URL(open.url);
    const own = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
    for (const name of ["localhost", "127.0.0.1", "0.0.0.0", ...own]) {
      expect({ name, status: (await from(`http://${name}:${port}`)).status }).toEqual({ name, status: 201 });
    }
    for (const origin of ["http://localhost", `http://198.51.100.1:${port}`, `https://localhost:${port}`])
      expectRefusal(await from(origin), "untrusted_origin");
  });

  test("invites people to an address that opens on this machine", async () => {
    const { id } = await olga.makeServer();
    const { body } = await olga.post<{ url: string }>("/invites", { server_id: id });
    expect(body.url).toStartWith(`http://localhost:${new URL(open.url).port}/invite/`);
  });
});
