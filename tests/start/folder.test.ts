// The data folder: created for its owner only, locked by one process, and left alone if it cannot be used.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { TestPerson } from "../house/people/people.ts";
import { expectOneSentence } from "./one-sentence.ts";
import { startRefused } from "./refused.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("a missing folder is made, readable by its owner only", async () => {
  const data = join(folder.path, "deep", "inside");
  const server = await startServer({ settings: { DATA_DIR: data } });
  await server.stop();
  expect(statSync(data).mode & 0o777).toBe(0o700);
});

test("a folder that others could read is closed to them at the start", async () => {
  chmodSync(folder.path, 0o755);
  const server = await startServer({ settings: { DATA_DIR: folder.path } });
  const { mode } = statSync(folder.path);
  await server.stop();
  expect(mode & 0o777).toBe(0o700);
});

describe("a folder that cannot be used", () => {
  test("because a file stands in its place, or on the way to it", async () => {
    const file = join(folder.path, "a-file");
    writeFileSync(file, "precious");
    for (const place of [file, join(file, "data")]) {
      expectOneSentence(await startRefused({ DATA_DIR: place }), /DATA_DIR/);
    }
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  test("because its database is no database: it is left as it is", async () => {
    const file = join(folder.path, "hearth.db");
    writeFileSync(file, "this is not a database, but somebody may still want it ".repeat(100));
    const before = readFileSync(file, "utf8");
    expectOneSentence(await startRefused({ DATA_DIR: folder.path }), /hearth\.db/);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("because its database is a folder", async () => {
    mkdirSync(join(folder.path, "hearth.db"));
    expectOneSentence(await startRefused({ DATA_DIR: folder.path }), /hearth\.db/);
  });
});

describe("a second process", () => {
  test("on the same folder is told of the first, which goes on; after its end the folder is free", async () => {
    const first = await startServer({ settings: { DATA_DIR: folder.path } });
    const alice = await TestPerson.register(first, "alice");
    const second = await startRefused({ DATA_DIR: folder.path });
    expectOneSentence(second, /[Aa]nother Hearth/);
    expect((await alice.post("/servers", { name: "Still here" })).status).toBe(201);
    await first.kill();

    const third = await startServer({ settings: { DATA_DIR: folder.path } });
    const there = await fetch(`${third.url}/api/v1/servers`, {
      headers: { Authorization: `Bearer ${alice.token}` },
    });
    expect(((await there.json()) as { name: string }[]).map((server) => server.name)).toEqual(["Still here"]);
    await third.stop();
  });

  test("on the same port is told which, and the first goes on", async () => {
    const first = await startServer({ settings: { DATA_DIR: folder.path } });
    const { port } = new URL(first.url);
    const other = temporaryFolder();
    expectOneSentence(await startRefused({ DATA_DIR: other.path, PORT: port }), new RegExp(`${port}.*PORT`));
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    await first.stop();
    other.remove();
  });
});
