// Uploads and crashes: acknowledged ones are on the disk, and unfinished ones are gone.
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readdirSync, utimesSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { heldDatabase } from "../house/machine/held.ts";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { fetchFile, png, upload } from "../house/scenes/files.ts";
import { request } from "../protection/raw.ts";
import { expectNoUploads, towns, untilReady } from "./town.ts";
import { canTrace, syncs, tracedInto } from "./trace.ts";

const { newFolder, start, openTown } = towns();

test("after a kill in the middle of an upload, the earlier ones are whole and nothing is left of that one", async () => {
  const { data, settings, server, alice } = await openTown();
  const drafts = join(data, "uploads", "tmp");
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
  await until(() => readdirSync(drafts).length === 1, "nothing of it arrived");
  await server.kill();
  expect(readdirSync(drafts).length).toBe(1);

  await start(settings);
  expect(readdirSync(drafts)).toEqual([]);
  const answer = await fetchFile(alice, kept.url);
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, png.byteLength]);
});

test("a kill between the file and its row: it is swept an hour later, and the one before it is not", async () => {
  const { data, settings, server, alice } = await openTown();
  const kept = () => readdirSync(join(data, "uploads")).filter((name) => name !== "tmp");
  const { url } = await upload(alice, "sun.png", png);

  // The write lock keeps the row from being inserted, not the file from being stored.
  const database = heldDatabase(data);
  const unanswered = upload(alice, "never.txt", "hello").catch((error: Error) => error);
  await until(() => kept().length === 2, "it was not kept");
  await server.kill();
  expect(await unanswered).toBeInstanceOf(Error);
  const yesterday = Bun.randomUUIDv7("hex", Date.now() - 24 * 3600_000);
  database.run("update instance set value = ? where key = 'epoch'", [yesterday]);
  database.run("commit");
  database.close();

  const twoHoursAgo = new Date(Date.now() - 2 * 3600_000);
  for (const name of kept()) utimesSync(join(data, "uploads", name), twoHoursAgo, twoHoursAgo);
  await start(settings);
  await until(() => kept().length === 1, "it is not swept");
  expect(kept()).toEqual([url.replace("/files/", "")]);
  expect((await fetchFile(alice, url)).status).toBe(200);
});

describe.skipIf(!canTrace())("under strace (skipped where it is absent or forbidden)", () => {
  test("the file, its name and its row are synced before the answer, each of ten times", async () => {
    const folder = newFolder();
    const [trace, settings] = [join(folder, "trace"), { DATA_DIR: join(folder, "data") }];
    const server = await startServer({ settings, under: tracedInto(trace) });
    const alice = await TestPerson.register(server, "alice");
    for (let i = 0; i < 10; i++) {
      const before = syncs(trace).length;
      await upload(alice, `${i}.txt`, String(i));
      expect(syncs(trace).length).toBeGreaterThanOrEqual(before + 3);
    }
    await server.stop();
  });
});

test("a server that may open no more files: uploads are 503, it says why, and they are taken again", async () => {
  const town = await openTown();
  const { server, alice } = town;
  const limit = (most: number) => execFileSync("prlimit", ["--pid", String(server.pid), `--nofile=${most}:`]);
  await upload(alice, "sun.png", png);
  limit(4);
  await expectNoUploads(town, "may open no more files");
  limit(1024);
  await untilReady(server);
  await upload(alice, "moon.png", png);
});
