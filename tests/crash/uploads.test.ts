// Uploads and sudden ends: what was answered is on the disk, what was under way is gone.
import { Database as SQLite } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readdirSync, utimesSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fetchFile, png, tryUpload, upload } from "../house/files.ts";
import { temporaryFolder } from "../house/folder.ts";
import { TestPerson } from "../house/people.ts";
import { freePort } from "../house/port.ts";
import { startServer } from "../house/process.ts";
import { until } from "../house/waiting.ts";
import { request } from "../protection/raw.ts";
import { canTrace, syncs, tracedInto } from "./trace.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

test("after a kill in the middle of an upload, the earlier ones are whole and nothing is left of that one", async () => {
  const settings = { DATA_DIR: join(folder.path, "killed"), PORT: String(await freePort()) };
  const drafts = join(settings.DATA_DIR, "uploads", "tmp");
  const server = await startServer({ settings });
  const alice = await TestPerson.register(server, "alice");
  const kept = await upload(alice, "sun.png", png);

  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const lines = [
    `Authorization: Bearer ${alice.token}`,
    "Content-Type: multipart/form-data; boundary=x",
    "Content-Length: 100000",
  ];
  const opening = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello';
  socket.write(request("POST", "/api/v1/upload", lines, opening));
  for (let tries = 0; tries < 100 && readdirSync(drafts).length === 0; tries++) await Bun.sleep(20);
  expect(readdirSync(drafts).length).toBe(1);
  await server.kill();
  expect(readdirSync(drafts).length).toBe(1);

  const again = await startServer({ settings });
  expect(readdirSync(drafts)).toEqual([]);
  const answer = await fetchFile(alice, kept.url);
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, png.byteLength]);
  await again.stop();
}, 60_000);

test("a kill between the file and its row: it is swept an hour later, and the one before it is not", async () => {
  const settings = { DATA_DIR: join(folder.path, "between"), PORT: String(await freePort()) };
  const kept = () => readdirSync(join(settings.DATA_DIR, "uploads")).filter((name) => name !== "tmp");
  const server = await startServer({ settings });
  const alice = await TestPerson.register(server, "alice");
  const { url } = await upload(alice, "sun.png", png);

  // Whoever holds the database keeps the row from being written, not the file from being kept.
  const database = new SQLite(join(settings.DATA_DIR, "hearth.db"));
  database.run("begin immediate");
  const unanswered = upload(alice, "never.txt", "hello").catch((error: Error) => error);
  for (let tries = 0; tries < 100 && kept().length < 2; tries++) await Bun.sleep(20);
  expect(kept()).toHaveLength(2);
  await server.kill();
  expect(await unanswered).toBeInstanceOf(Error);
  const yesterday = Bun.randomUUIDv7("hex", Date.now() - 24 * 3600_000);
  database.run("update instance set value = ? where key = 'epoch'", [yesterday]);
  database.run("commit");
  database.close();

  const twoHoursAgo = new Date(Date.now() - 2 * 3600_000);
  for (const name of kept()) utimesSync(join(settings.DATA_DIR, "uploads", name), twoHoursAgo, twoHoursAgo);
  const again = await startServer({ settings });
  for (let tries = 0; tries < 250 && kept().length > 1; tries++) await Bun.sleep(20);
  expect(kept()).toEqual([url.replace("/files/", "")]);
  expect((await fetchFile(alice, url)).status).toBe(200);
  await again.stop();
}, 60_000);

describe.skipIf(!canTrace())("under strace (skipped where it is absent or forbidden)", () => {
  test("the file, its name and its row are synced before the answer, each of ten times", async () => {
    const trace = join(folder.path, "trace");
    const settings = { DATA_DIR: join(folder.path, "traced") };
    const server = await startServer({ settings, under: tracedInto(trace) });
    const alice = await TestPerson.register(server, "alice");
    for (let i = 0; i < 10; i++) {
      const before = syncs(trace).length;
      await upload(alice, `${i}.txt`, String(i));
      expect(syncs(trace).length).toBeGreaterThanOrEqual(before + 3);
    }
    await server.stop();
  }, 60_000);
});

test("a server that may open no more files: uploads are 503, it says why, and they are taken again", async () => {
  const settings = { DATA_DIR: join(folder.path, "descriptors"), PORT: String(await freePort()) };
  const server = await startServer({ settings });
  const alice = await TestPerson.register(server, "alice");
  const limit = (most: number) => execFileSync("prlimit", ["--pid", String(server.pid), `--nofile=${most}:`]);
  await upload(alice, "sun.png", png);
  limit(4);
  const refused = await tryUpload<{ code: string }>(alice, "moon.png", png);
  expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([
    503,
    expect.stringContaining("may open no more files"),
  ]);
  limit(1024);
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200, "it is not ready again");
  await upload(alice, "moon.png", png);
  await server.stop();
}, 60_000);
