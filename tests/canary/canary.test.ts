// A unique string for each private value: no other person, log line, file or backup contains it.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import type { Ear } from "../house/people/ear.ts";
import { send, TestPerson } from "../house/people/people.ts";
import { MailBox, tokenIn } from "../house/servers/mail-box.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const box = await MailBox.open();
let server: ServerProcess;
let alice: TestPerson;
let bob: TestPerson;
let ear: Ear;
/** Everything that the server sent to Bob, who owns a server that Alice is a member of. */
let received = "";
/** The string that only Alice may know, by its kind. */
const secrets: Record<string, string> = {};
/** The code of an invite, which the log must not hold: it lets people look at the server, and join. */
let inviteCode = "";

beforeAll(async () => {
  server = await startServer({
    settings: {
      DATA_DIR: dataDir,
      PORT: "0",
      RATE_LIMITS: "off",
      LOG_LEVEL: "debug",
      AVATAR_URL: "off",
      ...box.settings,
    },
  });
  [bob, alice] = [await TestPerson.register(server, "bob"), await TestPerson.register(server, "alice")];
  const home = await bob.makeServer();
  await bob.bringIn(home.id, alice);
  ear = await bob.listen();
  await live(home.id, home.general.id);
  await readEverything(home.id, home.general.id);
  await useInvite(home.id);
  received += JSON.stringify(ear.frames);
});
afterAll(async () => {
  ear?.close();
  await server?.stop();
  folder.remove();
});

/** Alice does everything that leaves secrets behind. */
async function live(serverId: string, channelId: string): Promise<void> {
  secrets.email = alice.email;
  secrets.password = alice.password = "the canary sings at dawn";
  await alice.put("/auth/me/password", {
    current_password: "correct horse battery",
    new_password: alice.password,
  });
  const login = { email: alice.email, password: alice.password };
  const signedIn = await send(server, undefined, "POST", "/auth/login/password", login);
  secrets.session = alice.token = signedIn.headers.get("x-session-token") ?? "";
  await send(server, undefined, "POST", "/auth/login/password", {
    ...login,
    password: "the canary sings at noon",
  });
  secrets.wrongPassword = "the canary sings at noon";
  await bob.patch(`/servers/${serverId}/roles/${await everyone(serverId)}`, { permissions: 2047 });
  secrets.bot = String((await alice.post("/bots", { name: "Canary" })).body.token);
  const bots = (await alice.get<{ id: string }[]>("/bots")).body;
  await alice.post(`/bots/${bots[0]?.id}/servers`, { server_id: serverId });
  await send(server, undefined, "GET", "/servers", undefined, { Authorization: `Bot ${secrets.bot}` });
  const webhook = (await alice.post(`/channels/${channelId}/webhooks`, { name: "Canary" })).body;
  secrets.webhook = String(webhook.token);
  await send(server, undefined, "POST", `/webhooks/${webhook.id}/${webhook.token}`, { content: "Sung." });
  secrets.pushAuth = "Y2FuYXJ5c2luZ3M0bm9vbg";
  secrets.pushEndpoint = "https://93.184.215.14/canary-endpoint";
  await alice.post("/push/subscribe", {
    endpoint: secrets.pushEndpoint,
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: secrets.pushAuth,
  });
  await send(server, undefined, "POST", "/auth/password/forgot", { email: alice.email });
  secrets.reset = tokenIn(await box.linkTo(alice.email));
  await alice.say(channelId, "@everyone, hello.");
  await alice.patch("/auth/me", { bio: "I sing." });
}

/** Everything that is done with an invite's code: its page, its preview, its look-up, joining, and its end. */
async function useInvite(serverId: string): Promise<void> {
  inviteCode = String((await alice.post("/invites", { server_id: serverId })).body.code);
  await fetch(`${server.url}/invite/${inviteCode}`, { headers: { Accept: "text/html" } });
  for (const token of [undefined, bob.token])
    await send(server, token, "GET", `/invites/${inviteCode}/preview`);
  await bob.get(`/invites/${inviteCode}`);
  await bob.post(`/invites/${inviteCode}/join`);
  await alice.delete(`/invites/${inviteCode}`);
}

async function everyone(serverId: string): Promise<string> {
  const roles = (await bob.get<{ id: string; is_default: boolean }[]>(`/servers/${serverId}/roles`)).body;
  return roles.find((role) => role.is_default)?.id ?? "";
}

/** Bob requests every GET path of the API. */
async function readEverything(serverId: string, channelId: string): Promise<void> {
  const description = await (await fetch(`${server.url}/docs/swagger.json`)).json();
  const { paths } = description as { paths: Record<string, Record<string, unknown>> };
  const messages = (await bob.get<{ id: string }[]>(`/channels/${channelId}/messages`)).body;
  for (const path of Object.keys(paths).filter((each) => paths[each]?.get)) {
    for (const id of [serverId, channelId, alice.id, messages[0]?.id ?? "", "@me"]) {
      const address = path.replace(/\{userID\}/, alice.id).replace(/\{\w+\}/g, id);
      const url = `${server.url}/api/v1${address}?server_id=${serverId}&q=x`;
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${bob.token}` } });
      received += JSON.stringify([...answer.headers]) + (await answer.text());
    }
  }
  received += await (await fetch(`${server.url}/metrics`)).text();
}

function filesIn(path: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) files.set(entry.name, readFileSync(join(entry.parentPath, entry.name)));
  }
  return files;
}

const holding = (bytes: string | Buffer) =>
  Object.keys(secrets).filter((name) => bytes.includes(secrets[name] ?? ""));

test("there is a canary of every kind, and Alice's own answer shows her hers", async () => {
  expect(Object.entries(secrets).filter(([, value]) => value.length < 12)).toEqual([]);
  expect((await alice.get("/auth/me")).body.email as unknown).toBe(alice.email);
  expect(received.length).toBeGreaterThan(10_000);
});

test("nobody else was sent one", () => {
  expect(holding(received)).toEqual([]);
  expect(received).not.toContain("argon2");
});

test("the log holds none", () => {
  expect(server.stderr()).toContain('"status":201');
  expect(holding(server.stderr())).toEqual([]);
});

test("the log names no invite by its code, neither at the page's address nor at those of its operations", async () => {
  const paths = ["/invite/…", ...["", "/preview", "/join"].map((more) => `/api/v1/invites/…${more}`)];
  const unwritten = () => paths.filter((path) => !server.stderr().includes(`"path":"${path}"`));
  await until(() => unwritten().length === 0, "the log does not hold the calls");
  expect(inviteCode).toMatch(/^[\w-]{16}$/);
  expect(server.stderr()).not.toContain(inviteCode);
});

test("the files of the server hold the address and the push subscription, which it needs, and no more", () => {
  const held = new Set([...filesIn(dataDir).values()].flatMap(holding));
  expect([...held].sort()).toEqual(["email", "pushAuth", "pushEndpoint"]);
});

test("so does a backup", () => {
  const copy = join(folder.path, "backup.db");
  const database = new Database(join(dataDir, "hearth.db"), { readonly: true });
  database.run("VACUUM INTO ?", [copy]);
  database.close();
  expect(holding(readFileSync(copy)).sort()).toEqual(["email", "pushAuth", "pushEndpoint"]);
});
