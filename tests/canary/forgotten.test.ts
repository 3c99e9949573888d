// Unique words in everything that a message can contain: a day after its deletion none is stored anywhere.
import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { at } from "../house/open/cluster.ts";
import { onEachStore, type TestHouse } from "../house/open/engines.ts";
import type { ResumePoint } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { fetchFile } from "../house/scenes/files.ts";
import { aDayLater } from "../house/scenes/forgotten.ts";
import { sweep } from "../house/scenes/swept.ts";
import { allFilesIn, checkpointed, type Home, live, lostServer, type Said } from "./living.ts";

onEachStore("what is deleted", (house) => {
  let [alice, bob]: TestPerson[] = [];
  let home: Home;
  let said: Said;
  let since: ResumePoint;
  let rowsBefore = "";

  beforeAll(async () => {
    // Jobs of the house could forget the words before the test looks for them.
    await house().quiet();
    [alice, bob] = [await house().person("alice"), await house().person("bob")];
    home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    await bob.post("/push/subscribe", {
      endpoint: "https://93.184.215.14/nobody",
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "Y2FuYXJ5c2luZ3M0bm9vbg",
    });
    const ear = await bob.listen();
    since = ear.resumePoint;
    ear.close();
    said = await live(alice, bob, home);
    await lostServer(alice, said);
    rowsBefore = await allRows(house());
    await sweep(house());
    await aDayLater(house());
  });

  const everywhere = () => house().all.map(({ url }) => at(url, bob as TestPerson));

  test("was in rows of the database before, all of it", () => {
    expect(said.gone.in(rowsBefore)).toEqual(
      [...said.gone.words.keys()].filter((what) => !what.endsWith("what is in a file")).sort(),
    );
  });

  test("is in no row of any table a day later; what is kept is", async () => {
    const rows = await allRows(house());
    expect(said.gone.in(rows)).toEqual([]);
    expect(said.kept.in(rows)).toEqual(
      [...said.kept.words.keys()].filter((what) => !what.endsWith("what is in a file")).sort(),
    );
  });

  test("is in no page, no READY and no replay of any process", async () => {
    for (const reader of everywhere()) {
      const page = await reader.get<Message[]>(`/channels/${home.general.id}/messages`);
      const ears = [await reader.listen(), await reader.listen(since)];
      const heard = JSON.stringify([page.body, ears.map(({ frames }) => frames)]);
      expect(said.gone.in(heard)).toEqual([]);
      expect(said.kept.in(heard)).toContain("after a correction");
      expect(ears[1]?.types.at(-1)).toBe("RESUMED");
      expect(ears[1]?.frames.filter(({ type }) => type === "MESSAGE_DELETE").length).toBeGreaterThan(17);
      for (const ear of ears) ear.close();
    }
  });

  test("its files are in no store and behind no address; others are", async () => {
    const statuses = async (reader: TestPerson, urls: string[]) =>
      Promise.all(urls.map(async (url) => (await fetchFile(reader, url)).status));
    for (const reader of everywhere()) {
      expect(await statuses(reader, said.goneFiles)).toEqual(said.goneFiles.map(() => 404));
      expect(await statuses(reader, said.keptFiles)).toEqual([200, 200]);
    }
    const names: string[] = [];
    for await (const { name } of house().running.house.blobs.all()) names.push(`/files/${name}`);
    expect(names.filter((name) => said.goneFiles.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(said.keptFiles));
  });

  test("a nonce of it stays taken", async () => {
    const again = await alice!.post(`/channels/${home.general.id}/messages`, {
      content: "Hi!",
      nonce: "alone",
    });
    expect(again.status).toBe(409);
  });

  test("is in no file of the database, once that has cleared up", async () => {
    const bytes = await databaseFiles(house());
    expect(said.kept.in(bytes)).toContain("after a correction");
    expect(said.gone.in(bytes)).toEqual([]);
  });
});

/** Every row of every table as text. */
async function allRows({ running: { house } }: TestHouse): Promise<string> {
  const { read } = house.database;
  const tables = await read.introspection.getTables({ withInternalKyselyTables: true });
  const rows = [];
  for (const { name } of tables) rows.push((await sql`select * from ${sql.table(name)}`.execute(read)).rows);
  return JSON.stringify(rows);
}

/** The files of SQLite after a checkpoint, or those of PostgreSQL's tables after a rewrite. */
async function databaseFiles(house: TestHouse): Promise<Buffer> {
  const { config } = house.running.house;
  if (house.engine === "SQLite") return checkpointed(config.dataDir);
  const client = new pg.Client({ connectionString: house.settings.DATABASE_URL });
  await client.connect();
  // A plain vacuum only frees the space of dead rows: their bytes stay until new rows overwrite them.
  await client.query("vacuum full");
  await client.query("checkpoint");
  const { rows } = await client.query<{ folder: string }>(
    "select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()",
  );
  await client.end();
  return allFilesIn(rows[0]?.folder ?? "");
}
