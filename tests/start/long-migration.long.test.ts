// A log so long that its migration takes a while: the server reports the progress, and may be killed meanwhile.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import pg from "pg";
import { type Child, endProcess, spawnServer, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { readKnown } from "./release/known.ts";
import { unpack } from "./release/unpack.ts";

const events = 400_000;
/** The columns of events of a further stream. */
const long = `select '01890000-0000-7000-8000-000000000000', number, 'viewers', '', null, '{}', 0`;

async function houseOf(engine: "SQLite" | "PostgreSQL"): Promise<TestHouse> {
  const house = await makeHouse(engine, { LOG_LEVEL: "info" });
  await unpack(house);
  return house;
}

function databaseOf({ settings }: TestHouse): Database {
  return new Database(join(settings.DATA_DIR ?? "", "hearth.db"), { strict: true });
}

function countEvents(house: TestHouse): number {
  const database = databaseOf(house);
  const { count } = database.query<{ count: number }, []>("select count(*) as count from events").get()!;
  database.close();
  return count;
}

/** The standard error of a server, once it contains this sentence or the server is ready. */
async function saidUntil(child: Child, sentence: RegExp): Promise<{ log: string; isReady: boolean }> {
  const said = { log: "", isReady: false };
  child.stderr.on("data", (chunk: Buffer) => {
    said.log += chunk.toString();
  });
  child.stdout.on("data", () => {
    said.isReady = true;
  });
  await until(() => sentence.test(said.log) || said.isReady, "the server says nothing");
  return said;
}

test("on SQLite it tells every 100,000 rows; killed in the middle it begins again, and nothing is lost", async () => {
  let house: TestHouse;
  let before: number;
  let log: string;
  for (;;) {
    house = await houseOf("SQLite");
    const database = databaseOf(house);
    database.run(`with numbers (number) as (select 1 union all select number + 1 from numbers limit ${events})
      insert into events ${long} from numbers`);
    database.close();
    before = countEvents(house);
    const first = spawnServer(house.settings);
    const said = await saidUntil(first, /100000 rows of the table events are brought up to date/);
    await endProcess(first, "SIGKILL");
    ({ log } = said);
    // The migration may go on until the kill takes effect. If it has finished by then, the round proves nothing.
    if (!said.isReady && !log.includes(`${events} rows`)) break;
    await house.end();
  }
  for (const line of log.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ level: "info" });
  expect(countEvents(house)).toBe(before);

  const second = await startServer({ settings: house.settings });
  await second.stop();
  expect(second.stderr().match(/\d+(?= rows of the table events)/g)).toEqual([
    "100000",
    "200000",
    "300000",
    "400000",
  ]);
  const { ids } = readKnown("SQLite").known;
  const migrated = databaseOf(house);
  const streams = migrated.query<{ stream: string }, []>(
    "select distinct stream from events order by stream",
  );
  expect(streams.all().map(({ stream }) => stream)).toContain(`server:${ids.garden}`);
  migrated.close();
  expect(countEvents(house)).toBe(before);
  await house.end();
});

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("on PostgreSQL it tells that it has begun", async () => {
  const house = await houseOf("PostgreSQL");
  const client = new pg.Client({ connectionString: house.settings.DATABASE_URL });
  await client.connect();
  await client.query(`insert into events ${long.replace("select '", "select uuid '")}
    from generate_series(1, ${events}) as numbers (number)`);
  await client.end();
  const server = await startServer({ settings: house.settings });
  const told = /"msg":"the tables of the log are brought up to date"/g;
  await until(() => told.test(server.stderr()), "it does not tell");
  await server.stop();
  await house.end();
});
