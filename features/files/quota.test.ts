// The quota of 2 GiB per person: the uploads of all their bots count as well, even of deleted bots.
import { afterAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { readConfig } from "../../server/config/config.ts";
import { openDatabase } from "../../server/database/open.ts";
import { features } from "../../server/features.ts";
import { allMigrations } from "../../server/open.ts";
import { newId } from "../../server/tokens.ts";
import { makeHouse, onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { filesOn, formOf, noPicture, tryUpload, upload } from "../../tests/house/scenes/files.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { selectUser } from "../accounts/access.ts";
import { insertUpload } from "./store.ts";

const quota = 2 ** 31;
const leftToDo: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const work of leftToDo) await work();
});

onEachEngine("the quota of uploads", (house) => {
  /** Records an old upload of this size by the account. */
  async function hadUploaded(ownerId: string, size: number): Promise<void> {
    const row = { filename: `${crypto.randomUUID()}.png`, owner_id: ownerId, name: "many", ...noPicture };
    const { database } = house().running.house;
    const personId = (await selectUser(database.read, ownerId))?.owner_id ?? ownerId;
    await database.transaction((db) =>
      insertUpload(db, personId, { ...row, size, content_type: "image/png", created_at: 1 }),
    );
  }

  async function byBot(bot: TestBot, content: string): Promise<[status: number, code?: string]> {
    const answer = await fetch(`${house().url}/api/v1/upload`, {
      method: "POST",
      headers: { Authorization: `Bot ${bot.token}` },
      body: formOf("a.txt", content),
    });
    const { code } = (await answer.json()) as { code?: string };
    return code === undefined ? [answer.status] : [answer.status, code];
  }

  const statusOf = async (who: TestPerson, content: string) =>
    (await tryUpload(who, "a.txt", content)).status;

  test("what a bot uploaded counts for its owner and for the owner's other bots, and for nobody else", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const [first, second] = [await TestBot.make(alice), await TestBot.make(alice)];
    const bobs = await TestBot.make(bob);
    await hadUploaded(first.id, quota - 10);
    const before = filesOn(house());
    expect(await statusOf(alice, "01234567890")).toBe(413);
    expect(await byBot(second, "01234567890")).toEqual([413, "too_large"]);
    expect(await byBot(first, "01234567890")).toEqual([413, "too_large"]);
    expect(filesOn(house())).toEqual(before);
    expect(await byBot(second, "0123456")).toEqual([201]);
    expect(await statusOf(alice, "012")).toBe(201);
    for (const bot of [first, second]) expect(await byBot(bot, "!")).toEqual([413, "too_large"]);
    expect(await statusOf(alice, "!")).toBe(413);
    await upload(bob, "one.txt", "!");
    expect(await byBot(bobs, "!")).toEqual([201]);
  });

  test("what the owner uploaded counts for a bot", async () => {
    const alice = await house().person("alice");
    const bot = await TestBot.make(alice);
    await hadUploaded(alice.id, quota);
    expect(await byBot(bot, "!")).toEqual([413, "too_large"]);
    expect(await byBot(await TestBot.make(alice), "!")).toEqual([413, "too_large"]);
  });

  test("a bot that was deleted takes nothing of it along", async () => {
    const alice = await house().person("alice");
    const bot = await TestBot.make(alice);
    await hadUploaded(bot.id, quota - 1);
    expect((await alice.delete(`/bots/${bot.id}`)).status).toBe(204);
    expect(await statusOf(alice, "01")).toBe(413);
    expect(await byBot(await TestBot.make(alice), "01")).toEqual([413, "too_large"]);
    expect(await statusOf(alice, "0")).toBe(201);
  });

  test("is kept with each upload, and never summed up again for the next", async () => {
    const alice = await house().person("alice");
    const { statements } = await statementsOf(house(), () => upload(alice, "one.txt", "!"));
    expect(statements.some((sql) => sql.startsWith('insert into "uploads"'))).toBe(true);
    expect(statements.filter((sql) => /\bsum\s*\(/i.test(sql))).toEqual([]);
  });

  test("a person and their bots at the same moment do not have more together than there is", async () => {
    const alice = await house().person("alice");
    const bots = [await TestBot.make(alice), await TestBot.make(alice), await TestBot.make(alice)];
    await hadUploaded(alice.id, quota - 10);
    const answers = await Promise.all([
      statusOf(alice, "0123456"),
      ...bots.map(async (bot) => (await byBot(bot, "0123456"))[0]),
    ]);
    expect(answers.sort()).toEqual([201, 413, 413, 413]);
  });

  test("bots made before the house kept their owners count from the next start on, and what was uploaded before", async () => {
    const older = await makeHouse(house().engine, {});
    leftToDo.push(() => older.end());
    const database = await openDatabase(readConfig([], older.settings));
    const old = Object.entries(allMigrations(features, database.engine)).filter(([name]) => name < "0025");
    await database.migrate(Object.fromEntries(old));
    const [alice, bot] = [newId(), newId()];
    await database.transaction(async (db) => {
      for (const [id, isBot] of [
        [alice, 0],
        [bot, 1],
      ]) {
        await sql`insert into users (id, username, username_key, display_name, is_bot, created_at)
          values (${id}, ${id}, ${id}, 'Somebody', ${isBot}, 1)`.execute(db);
      }
      await sql`insert into bots (id, owner_id, description, token_hash, token_id)
        values (${bot}, ${alice}, '', 'x', ${bot})`.execute(db);
      for (const [owner, size] of [
        [alice, 7],
        [bot, 30],
        [bot, 500],
      ])
        await sql`insert into uploads (filename, owner_id, name, size, content_type, created_at)
          values (${newId()}, ${owner}, 'many', ${size}, 'text/plain', 1)`.execute(db);
    });
    await database.close();
    await older.open();
    const { read } = older.running.house.database;
    const users = await read.selectFrom("users").select(["id", "owner_id"]).orderBy("id").execute();
    expect(users).toEqual([
      { id: alice, owner_id: null },
      { id: bot, owner_id: alice },
    ]);
    const sums = await read.selectFrom("upload_sums").selectAll().execute();
    expect(sums).toEqual([{ person_id: alice, bytes: 537, count: 3 }]);
  });
});
