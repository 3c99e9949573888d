// Stored pictures and crashes: a half-written one never counts, and a failing disk keeps no picture from its reader.
import { afterEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { answering, PictureHost } from "../doubles/picture-host.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { png } from "../house/scenes/files.ts";
import { askFor } from "../house/scenes/pictures.ts";
import { canInject, inject } from "./faults.ts";

let folder: TemporaryFolder;
let host: PictureHost;
let server: ServerProcess;
afterEach(async () => {
  await server?.kill();
  host.close();
  folder.remove();
});

/** Starts the server, and returns a function that starts it once more. */
async function open(): Promise<() => Promise<void>> {
  folder = temporaryFolder();
  host = await PictureHost.open();
  const settings = {
    DATA_DIR: folder.path,
    PORT: String(await freePort()),
    PUSH_PORT: String(host.port),
    LOG_LEVEL: "info",
  };
  // The real server, with a fake network in place of the internet.
  const command = [process.execPath, "bench/hearth-and-push.ts"];
  const start = async () => {
    server = await startServer({ settings, command });
  };
  await start();
  return start;
}

/** The content at a path, different for each. */
function contentAt(path: string): Buffer {
  return Buffer.concat([png, Buffer.alloc(700_000, path)]);
}

function urlOf(path: string): string {
  return host.at(path, answering(contentAt(path)));
}

function fileOf(url: string): string {
  return join(folder.path, "pictures", `${createHash("sha256").update(url).digest("hex")}.png`);
}

/** The names in the folder of pictures, or in its folder of drafts. */
function namesIn(...path: string[]): string[] {
  const inside = join(folder.path, "pictures", ...path);
  return existsSync(inside) ? readdirSync(inside) : [];
}

const keptFiles = () => namesIn().filter((name) => name.endsWith(".png"));

test("killed while it writes: each picture that counts afterwards is whole, and what is half-written goes", async () => {
  const start = await open();
  const alice = await TestPerson.register(server, "alice");
  const moments: (() => boolean)[] = [
    // A draft exists for milliseconds; if it was missed, the first picture is there.
    () => namesIn("tmp").length > 0 || keptFiles().length > 0,
    ...[1, 2, 3, 4].map((count) => () => keptFiles().length >= count),
  ];
  for (const [round, isTime] of moments.entries()) {
    rmSync(join(folder.path, "pictures"), { recursive: true, force: true });
    const paths = Array.from({ length: 4 }, (_, i) => `/${round}/${i}.png`);
    const asking = paths.map((path) => askFor(alice, urlOf(path)).catch(() => undefined));
    for (const end = Date.now() + 180_000; !isTime(); await nextTurn())
      if (Date.now() > end) throw new Error("nothing is written");
    await server.kill();
    await Promise.all(asking);
    await start();
    for (const path of paths) {
      const before = host.asked(path);
      const isKept = existsSync(fileOf(urlOf(path)));
      if (isKept) expect(readFileSync(fileOf(urlOf(path))).equals(contentAt(path))).toBe(true);
      const { status, bytes } = await askFor(alice, urlOf(path));
      expect([path, status, bytes.equals(contentAt(path))]).toEqual([path, 200, true]);
      expect([path, host.asked(path) - before]).toEqual([path, isKept ? 0 : 1]);
    }
    // A picture is sent after a second at the latest, and stored once the disk is done.
    await until(() => keptFiles().length === 4 && namesIn("tmp").length === 0, "not each is kept");
  }
});

describe.skipIf(!canInject())("under strace (skipped where it is absent or forbidden)", () => {
  for (const [how, effect] of [
    ["is full", "error=ENOSPC"],
    ["has become read-only", "error=EROFS"],
    ["fails", "error=EIO"],
  ] as const) {
    test(`a disk that ${how}: pictures come all the same, people write on, and it keeps them again by itself`, async () => {
      await open();
      const alice = await TestPerson.register(server, "alice");
      const { general } = await alice.makeServer();
      const url = urlOf("/1.png");
      // Only files use this system call.
      const affliction = await inject(server.pid, { calls: "fsync", effect });
      for (let time = 1; time <= 2; time++) {
        const { status, bytes } = await askFor(alice, url);
        expect([status, bytes.equals(contentAt("/1.png"))]).toEqual([200, true]);
        await until(() => /pictures cannot be kept/.test(server.stderr()), "the log does not say it");
        await alice.say(general.id, "and so on");
      }
      expect(host.asked("/1.png")).toBe(2);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      await affliction.end();
      await askFor(alice, url);
      await until(() => existsSync(fileOf(url)), "it was not kept");
      await until(() => namesIn("tmp").length === 0, "half of one is left");
      expect(server.stderr().match(/pictures cannot be kept/g)).toHaveLength(1);
      await until(
        () => server.stderr().includes("pictures are kept again"),
        "the log does not say that it is over",
      );
    });
  }

  test("a disk that does not answer: a new picture comes without it, and is kept when it answers again", async () => {
    await open();
    const alice = await TestPerson.register(server, "alice");
    const url = urlOf("/1.png");
    const affliction = await inject(server.pid, { calls: "fsync", effect: "delay_enter=60000000" });
    const { status, bytes } = await askFor(alice, url);
    expect([status, bytes.equals(contentAt("/1.png"))]).toEqual([200, true]);
    // The picture was sent while its file was still being written.
    expect(keptFiles()).toEqual([]);
    await affliction.end();
    await until(() => keptFiles().length === 1, "it was not kept");
    // The file is renamed into place a moment before the server lists it.
    await until(async () => {
      const before = host.asked("/1.png");
      expect((await askFor(alice, url)).bytes.equals(contentAt("/1.png"))).toBe(true);
      return host.asked("/1.png") === before;
    }, "it is fetched each time");
  });
});
