// A backup's statements wait for a program that briefly holds an exclusive lock on the embedded database.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteCopies } from "../../cli/copies/sqlite.ts";
import { newFilename } from "../../features/files/naming.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { makeHouse } from "../house/open/engines.ts";
import { upload } from "../house/scenes/files.ts";

/** Locks the database for four seconds, and prints "held". */
const holder = `
  import { Database } from "bun:sqlite";
  const database = new Database(Bun.env.FILE);
  database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE held (it)");
  console.log("held");
  await Bun.sleep(4000);
  database.close();`;

test("which uploads are still named is known behind a lock of a moment", async () => {
  const house = await makeHouse("SQLite", {});
  const folder = temporaryFolder();
  try {
    await house.open();
    const alice = await house.person("alice");
    const name = (await upload(alice, "kept.txt", "still here")).url.replace("/files/", "");
    const { config } = house.running.house;
    const file = join(folder.path, "hearth.db");
    const made = join(folder.path, "made.db");
    await sqliteCopies.make(config, made);
    // A separate copy, which no other process has open.
    copyFileSync(made, file);
    const child = spawn(process.execPath, ["-e", holder], {
      env: { FILE: file },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    await Promise.race([once(child.stdout, "data"), ended]);
    const asked = await sqliteCopies.stillNamed({ ...config, dataDir: folder.path }, [
      name,
      newFilename("txt"),
    ]);
    expect(asked).toEqual(new Set([name]));
    expect(await ended).toEqual([0, null]);
  } finally {
    await house.end();
    folder.remove();
  }
}, 400_000);
