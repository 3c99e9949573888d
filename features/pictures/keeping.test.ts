// The picture cache of a server: within its configured bound, not in backups, and never at all costs.
import { afterEach, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { limits } from "../../protocol/limits.ts";
import { expectDone, hearth, run } from "../../tests/cli/hearth.ts";
import { answering, PictureHost } from "../../tests/doubles/picture-host.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { png } from "../../tests/house/scenes/files.ts";
import { askFor, patientMs, pictureQuery, picturesOn } from "../../tests/house/scenes/pictures.ts";
import { picturesBytes } from "./finding.ts";

const large = Buffer.concat([png, Buffer.alloc(600_000)]);

let house: TestHouse;
let host: PictureHost;
let alice: TestPerson;
afterEach(async () => {
  await house.end();
  host.close();
});

async function openHouse(settings: Record<string, string>, before = (_dataDir: string) => {}): Promise<void> {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent", ...settings });
  await house.open();
  before(house.settings.DATA_DIR ?? "");
  host = await PictureHost.open();
  host.serve(house, patientMs);
  alice = await house.person("alice");
}

test("PICTURES_MIB bounds them: the next one drives out the one that was not asked for since", async () => {
  await openHouse({ PICTURES_MIB: "1" });
  const [one, two] = ["/1.png", "/2.png"].map((path) => host.at(path, answering(large)));
  await askFor(alice, `${one}`);
  await askFor(alice, `${two}`);
  expect(picturesOn(house).kept).toHaveLength(1);
  expect(await picturesBytes(house.running.house)).toBe(large.length);
  expect((await alice.get("/admin/storage")).body).toMatchObject({ pictures_bytes: large.length });
  expect((await askFor(alice, `${two}`)).status).toBe(200);
  expect((await askFor(alice, `${one}`)).status).toBe(200);
  expect([host.asked("/1.png"), host.asked("/2.png")]).toEqual([2, 1]);
});

test("with 0 none are kept: each is fetched for whoever asks", async () => {
  await openHouse({ PICTURES_MIB: "0" });
  for (let time = 0; time < 2; time++)
    expect((await askFor(alice, host.at("/1.png", answering(large)))).bytes.equals(large)).toBe(true);
  expect([host.asked("/1.png"), readdirSync(house.settings.DATA_DIR ?? "").includes("pictures")]).toEqual([
    2,
    false,
  ]);
});

test("where they cannot be written they are fetched each time, whole, also by many at once", async () => {
  await openHouse({}, (dataDir) => writeFileSync(join(dataDir, "pictures"), "no folder"));
  const url = host.at("/1.png", answering(large));
  for (let time = 1; time <= 2; time++) {
    for (const { status, bytes } of await Promise.all([1, 2, 3].map(() => askFor(alice, url))))
      expect([status, bytes.equals(large)]).toEqual([200, true]);
  }
  expect(host.asked("/1.png")).toBeGreaterThanOrEqual(2);
  expect(await picturesBytes(house.running.house)).toBe(0);
});

test("what is sent from memory counts with all other answers until it is taken; what comes from the disk does not", async () => {
  await openHouse({ PICTURES_MIB: "8" });
  const huge = Buffer.concat([png, Buffer.alloc(limits.picture_bytes_max - png.length)]);
  const { metrics, config } = house.running.house;
  const ask = async () => {
    const slow = await slowReader(`/api/v1/pictures?${pictureQuery(host.at("/huge.png", answering(huge)))}`);
    await until(() => slow.bytesRead > 0, "nothing comes");
    const counted = metrics.unreadBytes;
    slow.destroy();
    await until(() => metrics.unreadBytes === 0, "it still counts");
    return counted;
  };
  expect(await ask()).toBe(0);
  rmSync(join(config.dataDir, "pictures"), { recursive: true });
  writeFileSync(join(config.dataDir, "pictures"), "no folder");
  expect(await ask()).toBe(huge.length);
});

/** Sends a request as Alice, and reads only the beginning of the response. */
async function slowReader(path: string): Promise<Socket> {
  const { hostname, port } = new URL(house.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.once("data", () => socket.pause());
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${alice.token}\r\n\r\n`,
  );
  return socket;
}

test("they are in no backup", async () => {
  await openHouse({});
  await askFor(alice, host.at("/1.png", answering(large)));
  const file = join(house.settings.DATA_DIR ?? "", "backup.tar");
  expectDone(await hearth(`backup ${file}`, house.settings), "has the database and ");
  const { stdout } = await run(["tar", "-tf", file], { PATH: Bun.env.PATH ?? "" });
  expect(stdout.split("\n").filter((name) => /pictures|\.png/.test(name))).toEqual([]);
  expect(stdout).toContain("hearth.db");
});
