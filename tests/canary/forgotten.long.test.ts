// Unmistakable words in everything that people can write into a message: a day after its deletion they are nowhere.
import { Database as Sqlite } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { TestBot } from "../house/bots.ts";
import { canSetClock, clockToSet } from "../house/clock.ts";
import { at } from "../house/cluster.ts";
import type { ResumePoint } from "../house/ear.ts";
import { onEachStore, type TestHouse } from "../house/engines.ts";
import { fetchFile, upload } from "../house/files.ts";
import { temporaryFolder } from "../house/folder.ts";
import { aDayLater } from "../house/forgotten.ts";
import { pictureOf } from "../house/images.ts";
import { send, TestPerson } from "../house/people.ts";
import { startServer } from "../house/process.ts";
import { sweep } from "../house/swept.ts";
import { until } from "../house/waiting.ts";

type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

/** By what it is in: the word. */
class Canaries {
  readonly words = new Map<string, string>();

  of(what: string): string {
    const word = `canary${randomBytes(9).toString("hex")}`;
    this.words.set(what, word);
    return word;
  }

  /** Returns where those words came from that these bytes hold. */
  in(bytes: string | Buffer): string[] {
    return [...this.words].flatMap(([what, word]) => (bytes.includes(word) ? [what] : [])).sort();
  }
}

/** The words that were said and deleted, and those that were not. */
interface Said {
  gone: Canaries;
  kept: Canaries;
  /** Addresses of files that go and that stay. */
  goneFiles: string[];
  keptFiles: string[];
}

/** Alice, Bob, a bot and a webhook write, and everything goes in one way or another. */
async function live(alice: TestPerson, bob: TestPerson, home: Home): Promise<Said> {
  const said: Said = { gone: new Canaries(), kept: new Canaries(), goneFiles: [], keptFiles: [] };
  const { gone, kept } = said;
  const { id: channelId } = home.general;
  const remove = (id: string, by: TestPerson | TestBot = alice) => by.delete(`/messages/${id}`);
  const file = async (words: Canaries, what: string) => {
    const attached = await upload(
      alice,
      `${words.of(`${what}: the name of a file`)}.txt`,
      words.of(`${what}: what is in a file`),
    );
    words.words.set(`${what}: the address of a file`, attached.url.replace("/files/", "").slice(0, 20));
    return attached.url;
  };
  const open = async (name: string) => {
    const body = { server_id: home.id, name, type: "text" };
    return String((await alice.post("/channels", body)).body.id);
  };

  // Alone: a long text, which takes pages of its own, with files and a picture, and the answer to it.
  const picture = await upload(
    alice,
    `${gone.of("the name of a picture")}.png`,
    await pictureOf("png", { width: 1000, height: 900 }),
  );
  said.goneFiles.push(await file(gone, "alone"), picture.url, picture.preview_url ?? "");
  const alone = await alice.say(channelId, `@${bob.username} ${gone.of("alone")} ${"la ".repeat(1200)}`, {
    attachments: [said.goneFiles[0], picture.url],
    nonce: "alone",
  });
  const answer = await bob.say(channelId, gone.of("an answer"), { reply_to: alone.id });
  await remove(alone.id);
  await remove(answer.id, bob);
  // Corrected, and corrected and then deleted.
  const corrected = await alice.say(channelId, gone.of("before a correction"));
  await alice.patch(`/messages/${corrected.id}`, { content: gone.of("between corrections") });
  await alice.patch(`/messages/${corrected.id}`, { content: kept.of("after a correction") });
  const both = await alice.say(channelId, gone.of("corrected and deleted"));
  await alice.patch(`/messages/${both.id}`, { content: gone.of("deleted after a correction") });
  await remove(both.id);
  // In bulk, of several people.
  const bulk = [];
  for (let i = 0; i < 12; i++)
    bulk.push(
      (await (i % 2 ? alice : bob).say(channelId, `${gone.of(`bulk ${i}`)} ${"lo ".repeat(30 * i)}`)).id,
    );
  await alice.post(`/channels/${channelId}/messages/bulk-delete`, { message_ids: bulk });
  // By a bot and by a webhook.
  const bot = await TestBot.make(alice);
  await bot.enter(home.id);
  await remove((await bot.say(channelId, gone.of("a bot"))).id, bot);
  const webhook = (await alice.post(`/channels/${channelId}/webhooks`, { name: "Canary" })).body;
  const body = {
    content: gone.of("a webhook"),
    username: gone.of("a webhook's name"),
    avatar_url: `https://pictures.example/${gone.of("a webhook's picture")}`,
  };
  const hooked = await send<Message>(
    alice.host,
    undefined,
    "POST",
    `/webhooks/${webhook.id}/${webhook.token}?wait=true`,
    body,
  );
  await remove(hooked.body.id);
  // With their channel.
  const attic = await open("attic");
  said.goneFiles.push(await file(gone, "channel"));
  await alice.say(attic, gone.of("a channel"), { attachments: [said.goneFiles.at(-1)] });
  await bob.get(`/channels/${attic}/messages`);
  // Kept: what a living message says and has, also a file of a deleted one, and a file without any.
  said.keptFiles.push(await file(kept, "living"), await file(kept, "loose"));
  await alice.say(channelId, kept.of("living"), { attachments: [said.keptFiles[0]] });
  await remove((await alice.say(channelId, gone.of("beside"), { attachments: [said.keptFiles[0]] })).id);
  await alice.delete(`/channels/${attic}`);
  return said;
}

/** A whole server of Alice's, and what was said there. */
async function lostServer(alice: TestPerson, { gone }: Said): Promise<void> {
  const lost = await alice.makeServer("Lost");
  await alice.say(lost.general.id, gone.of("a server"));
  await alice.get(`/channels/${lost.general.id}/messages`);
  await alice.delete(`/servers/${lost.id}`);
}

onEachStore("what is deleted", (house) => {
  let [alice, bob]: TestPerson[] = [];
  let home: Home;
  let said: Said;
  let since: ResumePoint;
  let rowsBefore = "";

  beforeAll(async () => {
    // The house would forget the words by itself before the test looks for them.
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
  }, 400_000);

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

/** The files of SQLite after a checkpoint, or those of the tables in PostgreSQL after they were written anew. */
async function databaseFiles(house: TestHouse): Promise<Buffer> {
  const { config } = house.running.house;
  if (house.engine === "SQLite") return checkpointed(config.dataDir);
  const client = new pg.Client({ connectionString: house.settings.DATABASE_URL });
  await client.connect();
  // The usual one lets the next rows be written over the dead ones; until then these bytes stay.
  await client.query("vacuum full");
  await client.query("checkpoint");
  const { rows } = await client.query<{ folder: string }>(
    "select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()",
  );
  await client.end();
  return allFilesIn(rows[0]?.folder ?? "");
}

function checkpointed(dataDir: string): Buffer {
  const database = new Sqlite(join(dataDir, "hearth.db"));
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return allFilesIn(dataDir);
}

function allFilesIn(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => bytesOf(join(parentPath, name))));
}

/** One that goes while the others are read is empty. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return Buffer.alloc(0);
  }
}

const title = "a server whose clock is set a day ahead forgets by itself, files of its data folder among it";

test.skipIf(!canSetClock)(canSetClock ? title : `${title} (skipped: no libfaketime here)`, async () => {
  const folder = temporaryFolder();
  const clock = clockToSet(folder.path);
  const dataDir = join(folder.path, "data");
  const server = await startServer({ settings: { ...clock.settings, DATA_DIR: dataDir } });
  try {
    const [alice, bob] = [
      await TestPerson.register(server, "alice"),
      await TestPerson.register(server, "bob"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    // It looks through its log after a second, and again hours later.
    await until(() => checkpointed(dataDir).includes('"is_over":true'), "the log is not walked through");
    const said = await live(alice, bob, home);
    await lostServer(alice, said);
    expect(said.gone.in(checkpointed(dataDir)).length).toBeGreaterThan(20);
    expect((await fetchFile(alice, said.goneFiles[0] ?? "")).status).toBe(200);
    clock.set(1.01);
    for (const url of said.goneFiles)
      await until(async () => (await fetchFile(alice, url)).status === 404, "the file stays");
    await until(() => said.gone.in(checkpointed(dataDir)).length === 0, "something is left");
    expect(said.kept.in(checkpointed(dataDir)).length).toBe(said.kept.words.size);
  } finally {
    await server.stop();
    folder.remove();
  }
});
