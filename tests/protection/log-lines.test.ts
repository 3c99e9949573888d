// T59: the log of a running server has one JSON line for each request, and no secrets.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { send, TestPerson } from "../house/people/people.ts";

const folder = temporaryFolder();
const secrets = {
  password: "swordfish-of-the-test",
  wrong: "wrong-swordfish-of-the-test",
  query: "secret-in-the-query",
  content: "whispered-between-friends",
  webhook: `hw_${"W".repeat(43)}`,
  bot: `hb_${"B".repeat(43)}`,
};
let server: ServerProcess;
let alice: TestPerson;
let lines: Record<string, unknown>[];
let text: string;
const answered: { id: string; method: string; path: string; status: number }[] = [];

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const { status, headers: got } = await send(server, alice.token, method, path, body, headers);
  answered.push({ id: got.get("x-request-id") ?? "", method, path: `/api/v1${path.split("?")[0]}`, status });
}

beforeAll(async () => {
  server = await startServer({ settings: { DATA_DIR: folder.path, LOG_LEVEL: "info" } });
  alice = await TestPerson.register(server, "alice", secrets.password);
  const home = await alice.makeServer();
  await call("POST", "/auth/login/password", { email: alice.username, password: secrets.password });
  await call("POST", "/auth/login/password", { email: alice.username, password: secrets.wrong });
  await call("PUT", "/auth/me/password", { current_password: secrets.wrong, new_password: "short" });
  await call("GET", `/auth/me?token=${secrets.query}&password=${secrets.query}`);
  await call("GET", `/servers/${alice.token}`);
  await call("GET", "/auth/me", undefined, { Authorization: `Bot ${secrets.bot}` });
  await call("GET", "/auth/me", undefined, { Cookie: `app_session=${alice.token}` });
  await call("POST", `/webhooks/01890000-0000-7000-8000-000000000000/${secrets.webhook}`, { content: "x" });
  await call("POST", `/webhooks/01890000-0000-7000-8000-000000000000%2f${secrets.webhook}`, { content: "x" });
  await call("POST", `/webhooks%252F%2568w_${"W".repeat(43)}`, { content: "x" });
  await call("POST", "/webhooks/01890000-0000-7000-8000-000000000000/an-older-kind-of-token", {
    content: "x",
  });
  await call("POST", `/channels/${home.general.id}/messages`, { content: secrets.content });
  await call("POST", "/servers", `{"password":"${secrets.password}"`);
  await call("DELETE", "/nothing/here");
  await server.stop();
  text = server.stderr();
  lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
});
afterAll(async () => {
  await server.kill();
  folder.remove();
});

describe("the log", () => {
  test("has one line a request, with what happened", () => {
    expect(answered.length).toBe(14);
    for (const { id, method, path, status } of answered) {
      const [line, ...more] = lines.filter((each) => each.request_id === id && each.method !== undefined);
      expect(more).toEqual([]);
      expect(line).toMatchObject({ level: "info", method, status });
      // The client address is logged where it matters: when the call was refused.
      if (status >= 400) expect(line?.ip).toBe("127.0.0.1");
      expect(typeof line?.ms).toBe("number");
      expect(String(line?.time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      if (!/token|h[swb]_|%/.test(path)) expect(line?.path).toBe(path);
    }
  });

  test("holds no password, no token, no query and nothing that anybody said", () => {
    for (const secret of [...Object.values(secrets), "an-older-kind-of-token", alice.token, "swordfish"]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain("?");
    expect(text).not.toMatch(/h[sbw]_[A-Za-z0-9_-]{20}/);
    expect(text).not.toContain("W".repeat(20));
  });

  test("says where a webhook's token was", () => {
    expect(text).toContain("/webhooks/01890000-0000-7000-8000-000000000000/…");
  });
});

test("an upgrade is a request too: refused or not, it has its line", async () => {
  const again = await startServer({ settings: { DATA_DIR: folder.path, LOG_LEVEL: "info" } });
  const upgrade = {
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const refused = await fetch(`${again.url}/ws?token=${secrets.query}`, {
    headers: { ...upgrade, Origin: "https://evil.example" },
  });
  await again.stop();
  expect(refused.status).toBe(403);
  const line = again
    .stderr()
    .split("\n")
    .find((each) => each.includes(refused.headers.get("x-request-id") ?? "no id"));
  expect(JSON.parse(line ?? "{}")).toMatchObject({ method: "GET", path: "/ws", status: 403 });
  expect(again.stderr()).not.toContain(secrets.query);
});

test("with LOG_LEVEL=silent a server says nothing", async () => {
  const quiet = await startServer({ settings: { DATA_DIR: folder.path, LOG_LEVEL: "silent" } });
  await fetch(`${quiet.url}/api/v1/nothing`);
  await quiet.stop();
  expect(quiet.stderr()).toBe("");
});
