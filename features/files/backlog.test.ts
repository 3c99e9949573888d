// Pictures from a release that did not inspect them: they get sizes and previews one after the other, and keep their
// bytes.
import { afterAll, beforeAll, describe, expect, setSystemTime, spyOn, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { readConfig } from "../../server/config/config.ts";
import { openDatabase } from "../../server/database/open.ts";
import { inVienna, pictureOf } from "../../tests/house/material/images.ts";
import { type Engine, makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import {
  type Acquaintance,
  callersAt,
  type Known,
  publicUrl,
  readKnown,
} from "../../tests/start/release/known.ts";
import { unpack } from "../../tests/start/release/unpack.ts";
import type { Message } from "../messages/contract.ts";
import { inspectBacklog } from "./backlog.ts";
import { newFilename } from "./naming.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
const unknown = { width: null, height: null, preview_url: null };

for (const engine of engines) {
  describe(`pictures of an older Hearth on ${engine}`, () => {
    const { known } = readKnown(engine);
    const [sun = ""] = Object.keys(known.files).filter((path) => path.endsWith(".png"));
    let house: TestHouse;
    let ada: Acquaintance;
    let photo: Buffer;
    const pathOf = (name: string) => join(house.settings.DATA_DIR ?? "", "uploads", name);

    beforeAll(async () => {
      // The sessions of that release are valid for some weeks.
      setSystemTime(Date.parse(known.madeAt) + 1000);
      house = await makeHouse(engine, { PUBLIC_URL: publicUrl });
      await unpack(house);
      photo = await pictureOf("png", { width: 1000, height: 500, orientation: 6, exif: inVienna });
      writeFileSync(pathOf(sun.replace("/files/", "")), photo);
      await addOld(house, known, [
        { filename: "0".repeat(32), extension: "png", content: "no picture" },
        // Lost files, which are inspected in a moment.
        ...Array.from({ length: 250 }, () => ({ filename: newFilename("x").slice(0, 32), extension: "jpg" })),
        {
          filename: "f".repeat(32),
          extension: "gif",
          content: readFileSync(pathOf(sun.replace("/files/", ""))),
        },
      ]);
      await house.open();
      await house.quiet();
      ({ ada } = callersAt(house, known.authorizations));
    });
    afterAll(async () => {
      setSystemTime();
      await house?.end();
    });

    const read = () => house.running.house.database.read;
    const shown = async () => (await ada.get<Message>(`/messages/${known.ids.shown}`)).body.attachments;
    const newest = async () =>
      (await ada.get<Message[]>(`/channels/${known.ids.general}/messages`)).body.find(
        ({ id }) => id === known.ids.shown,
      )?.attachments;
    const waiting = async () => {
      const rows = await read()
        .selectFrom("uploads")
        .select("filename")
        .where("is_inspected", "=", 0)
        .execute();
      return rows.length;
    };

    test("before their turn messages show them with nulls; texts have nothing to wait for", async () => {
      expect(await waiting()).toBe(253);
      for (const attachments of [await shown(), await newest()])
        expect(attachments).toEqual([
          expect.objectContaining({ name: "sun.png", ...unknown }),
          expect.objectContaining({ name: "plan ☕.txt", ...unknown }),
        ]);
    });

    test("one a run, each kept before the next", async () => {
      for (let left = 253; left > 239; left--) {
        expect(await waiting()).toBe(left);
        expect(await inspectBacklog.run(house.running.house)).toBe(true);
      }
    });

    test("goes on after a start, to the end, and the log says how far it is", async () => {
      await house.restart();
      await house.quiet();
      ({ ada } = callersAt(house, known.authorizations));
      expect((await newest())?.[0]).toMatchObject(unknown);
      const { house: inside } = house.running;
      const log = spyOn(inside.log, "info");
      while (await inspectBacklog.run(inside));
      expect(await waiting()).toBe(0);
      expect(log.mock.calls.map((call): unknown => call[0])).toEqual([
        { pictures: 100, left: 139 },
        { pictures: 100, left: 39 },
        { pictures: 39, left: 0 },
      ]);
      log.mockRestore();
      expect(await inspectBacklog.run(inside)).toBe(false);
    });

    test("then messages show sizes and previews, the page that was kept at hand too, and the bytes are those of then", async () => {
      const [picture, text] = (await shown()) ?? [];
      expect(picture).toMatchObject({ name: "sun.png", width: 500, height: 1000 });
      expect(text).toMatchObject(unknown);
      expect(await newest()).toEqual([picture, text] as never);
      const preview = Buffer.from(await ada.file(picture?.preview_url ?? ""), "base64");
      expect(preview.toString("latin1", 8, 12)).toBe("WEBP");
      expect(photo.equals(Buffer.from(await ada.file(sun), "base64"))).toBe(true);
      const { body } = await ada.patch<Message>(`/messages/${known.ids.shown}`, { content: "Look!" });
      expect(body.attachments).toEqual([picture, text] as never);
    });

    test("what is broken or lost has nulls; previews count for their owners", async () => {
      const rows = await read().selectFrom("uploads").selectAll().where("width", "is not", null).execute();
      expect(rows.map(({ filename }) => filename).sort()).toEqual(
        [sun.replace("/files/", ""), `${"f".repeat(32)}.gif`].sort(),
      );
      const previews = await read()
        .selectFrom("uploads")
        .selectAll()
        .where("preview_of", "is not", null)
        .execute();
      expect(previews.map(({ owner_id }) => owner_id)).toEqual([known.people.ada.id, known.people.ada.id]);
      const sums = await read()
        .selectFrom("upload_sums")
        .selectAll()
        .where("person_id", "=", known.people.ada.id)
        .execute();
      const sizes = await read()
        .selectFrom("uploads")
        .select("size")
        .where("owner_id", "=", known.people.ada.id)
        .execute();
      expect(sums.map(({ bytes }) => bytes)).toEqual([sizes.reduce((sum, { size }) => sum + size, 0)]);
    });
  });
}

interface Old {
  filename: string;
  extension: string;
  content?: string | Uint8Array;
}

/** Adds uploads of Ada's as that release would have stored them. */
async function addOld(house: TestHouse, { people, madeAt }: Known, uploads: readonly Old[]): Promise<void> {
  const database = await openDatabase(readConfig([], house.settings));
  await database.transaction(async (db) => {
    for (const { filename, extension, content } of uploads) {
      const name = `${filename}.${extension}`;
      const type = extension === "jpg" ? "image/jpeg" : `image/${extension}`;
      await sql`insert into uploads (filename, owner_id, name, size, content_type, created_at)
        values (${name}, ${people.ada.id}, ${name}, 0, ${type}, ${Date.parse(madeAt)})`.execute(db);
      if (content !== undefined) writeFileSync(join(house.settings.DATA_DIR ?? "", "uploads", name), content);
    }
  });
  await database.close();
}
