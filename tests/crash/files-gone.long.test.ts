// Files are removed or replaced under a running server: it stops writing, says so, and acknowledges nothing more.

import { Database as SQLite } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { until } from "../house/machine/waiting.ts";
import { Ear } from "../house/people/ear.ts";
import { fetchFile, png, upload } from "../house/scenes/files.ts";
import { contentsOf, expectNoUploads, expectNoWrites, type Town, towns, untilReady } from "./town.ts";

const { start, openTown } = towns();
const expectRefusal = (town: Town) => expectNoWrites(town, "gone or replaced");

/** Copies the database as it is now to a place outside of the data folder. */
function copyOf({ data, outside }: Town): { file: string; copy: string } {
  const [file, copy] = [join(data, "hearth.db"), join(outside, "copy.db")];
  const database = new SQLite(file);
  database.run("vacuum into ?", [copy]);
  database.close();
  return { file, copy };
}

describe("a database file that is gone or replaced", () => {
  test("the data folder is removed: nothing is written any more, and the log says so once", async () => {
    const town = await openTown();
    rmSync(town.data, { recursive: true });
    await expectRefusal(town);
    expect(town.server.stderr().match(/no writes are taken: the data folder/g)).toHaveLength(1);
  });

  test("a copy is moved onto the database: the copy stays as it is, also when the server is stopped", async () => {
    const town = await openTown();
    const { file, copy } = copyOf(town);
    const before = readFileSync(copy);
    renameSync(copy, file);
    await expectRefusal(town);
    await town.server.stop();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("who signs in afterwards is not told of what lies there instead, and nothing is made or changed there", async () => {
    for (const how of ["a copy", "an empty folder"]) {
      const town = await openTown();
      const { file, copy } = copyOf(town);
      const before = readFileSync(copy);
      await town.alice.say(town.general, "what the copy does not know");
      if (how === "a copy") renameSync(copy, file);
      else {
        renameSync(town.data, join(town.outside, "aside"));
        mkdirSync(town.data);
      }
      await expectRefusal(town);
      const ear = await Ear.connect(town.server.url);
      ear.say("AUTH", { token: town.alice.token });
      const told = ear.next("READY").catch(() => undefined);
      expect(await Promise.race([ear.closed, told])).toMatchObject({ code: 1012 });
      await town.server.stop();
      // SQLite would apply the old database's log to the file in its place.
      if (how === "a copy") expect(readFileSync(file).equals(before)).toBe(true);
      else expect(readdirSync(town.data)).toEqual([]);
    }
  });

  test("the log of the database is replaced: the one that was put there is not removed by the end of the server", async () => {
    const town = await openTown();
    const log = join(town.data, "hearth.db-wal");
    copyFileSync(log, join(town.outside, "log"));
    renameSync(join(town.outside, "log"), log);
    await expectRefusal(town);
    await town.server.stop();
    expect(existsSync(log)).toBe(true);
  });

  test("the folder that was moved away is put back: it goes on by itself, and all that was acknowledged is there", async () => {
    const town = await openTown();
    const aside = join(town.outside, "aside");
    renameSync(town.data, aside);
    await expectRefusal(town);
    renameSync(aside, town.data);
    await untilReady(town.server);
    await town.alice.say(town.general, "after");
    await town.server.kill();
    await start(town.settings);
    const contents = await contentsOf(town.alice, town.general);
    expect([contents.at(0), contents.at(-1)]).toEqual(["before", "after"]);
  });
});

describe("a folder of uploads that is gone or replaced", () => {
  for (const [how, act] of [
    ["is removed", (folder: string) => rmSync(folder, { recursive: true })],
    [
      "is replaced by a copy",
      (folder: string) => {
        cpSync(folder, `${folder}-copy`, { recursive: true });
        renameSync(folder, `${folder}-before`);
        renameSync(`${folder}-copy`, folder);
      },
    ],
    [
      "is replaced by an empty one",
      (folder: string) => {
        rmSync(folder, { recursive: true });
        mkdirSync(join(folder, "tmp"), { recursive: true });
      },
    ],
  ] as const) {
    test(`it ${how}: uploads are 503, messages go on, and it is said`, async () => {
      const town = await openTown();
      const { data, server, alice, general } = town;
      const { url } = await upload(alice, "sun.png", png);
      act(join(data, "uploads"));
      await expectNoUploads(town, "folder of uploads");
      expect([200, 503]).toContain((await fetchFile(alice, url)).status);
      await alice.say(general, "after");
      await until(() => server.stderr().includes("no uploads are taken"), "the log does not say it");
    });
  }
});
