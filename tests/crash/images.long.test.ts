// A kill while older pictures are being decoded: the next start continues there, and makes no preview twice.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { decodersOf } from "../house/material/decoders.ts";
import { pictureOf } from "../house/material/images.ts";
import { makeHouse } from "../house/open/engines.ts";
import { readKnown } from "../start/release/known.ts";
import { unpack } from "../start/release/unpack.ts";

const many = 20;

test("killed while they are looked at, they have one preview each in the end, and no process is left", async () => {
  const house = await makeHouse("SQLite", {});
  await unpack(house);
  const data = house.settings.DATA_DIR ?? "";
  const photo = await pictureOf("png", { width: 900, height: 300 });
  const database = new Database(join(data, "hearth.db"), { strict: true });
  const { ada } = readKnown("SQLite").known.people;
  for (let i = 0; i < many; i++) {
    const name = `${String(i).padStart(32, "0")}.png`;
    writeFileSync(join(data, "uploads", name), photo);
    database.run(
      "insert into uploads (filename, owner_id, name, size, content_type, created_at) values (?, ?, ?, ?, 'image/png', 1)",
      [name, ada.id, name, photo.length],
    );
  }
  const previews = () =>
    database
      .query<{ filename: string; size: number }, []>("select * from uploads where preview_of is not null")
      .all();
  const left = () =>
    database.query<{ left: number }, []>("select count(*) as left from uploads where is_inspected = 0").get()
      ?.left;

  let decoders: number[] = [];
  for (;;) {
    const first = await startServer({ settings: house.settings });
    const isMidway = () => previews().length >= 5 && decodersOf(first.pid).length > 0;
    await until(() => isMidway() || left() === 0, "none has a preview");
    decoders = decodersOf(first.pid);
    await first.kill();
    if (left() !== 0) break;
    // The kill came too late: mark them as not decoded and try again.
    database.run("delete from uploads where preview_of is not null");
    database.run("update uploads set is_inspected = 0 where content_type like 'image/%'");
  }
  const [had, had_left] = [previews(), left() ?? 0];
  expect([had_left > 0, had.length + had_left >= many]).toEqual([true, true]);

  const second = await startServer({ settings: house.settings });
  await until(() => left() === 0, "it does not go on");
  const all = previews();
  expect([all.length, all.slice(0, had.length)]).toEqual([many, had]);
  const sizes = all.map(({ filename }) => Bun.file(join(data, "uploads", filename)).size);
  expect(sizes).toEqual(all.map(({ size }) => size));
  await until(() => !decoders.some((pid) => existsSync(`/proc/${pid}`)), "a process of the first goes on");
  await second.stop();
  database.close();
  await house.end();
});
