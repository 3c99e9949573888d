// Markers of many people are stored together; one whose row another transaction has locked delays no others.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import { personStream } from "../../server/place.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { stored } from "../../tests/house/scenes/read-states.ts";
import { gathering } from "./gathering.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a held row (skipped where there is no PostgreSQL)", () => {
  let house: TestHouse;
  let holder: pg.Client;
  let alice: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  const readers: TestPerson[] = [];

  beforeAll(async () => {
    house = await makeHouse("PostgreSQL", {});
    await house.open();
    holder = new pg.Client({ connectionString: house.settings.DATABASE_URL });
    await holder.connect();
    alice = await house.person("alice");
    home = await alice.makeServer();
    for (const name of ["bob", "carol", "dave"]) {
      const reader = await house.person(name);
      await alice.bringIn(home.id, reader);
      readers.push(reader);
    }
    // From now on each person has a stream row and a marker.
    await readAll(await alice.say(home.general.id, "first"));
    await stored(house);
  });
  afterAll(async () => {
    await holder?.end();
    await house?.end();
  });

  async function readAll({ id }: { id: string }): Promise<void> {
    for (const reader of readers)
      expect((await reader.put(`/channels/${home.general.id}/read`, { message_id: id })).status).toBe(204);
  }

  /** The people who have read up to this message, according to the database. */
  async function whoRead({ id }: { id: string }): Promise<string[]> {
    const rows = await house.running.house.database.read
      .selectFrom("read_markers")
      .select("user_id")
      .where("last_read_id", "=", id)
      .execute();
    return readers.flatMap(({ id, username }) =>
      rows.some(({ user_id }) => user_id === id) ? username : [],
    );
  }

  for (const [what, hold] of [
    [
      "a person's stream",
      () => holder.query("select from streams where stream = $1 for update", [personStream(readers[0]!.id)]),
    ],
    [
      "a membership",
      () => holder.query("select from members where user_id = $1 for update", [readers[0]!.id]),
    ],
  ] as const)
    test(`of ${what} holds up this person's markers alone, and the last of them is stored`, async () => {
      const [bob, ...others] = readers.map(({ username }) => username);
      await holder.query("begin");
      await hold();
      let said = await alice.say(home.general.id, "one");
      await readAll(said);
      await until(async () => (await whoRead(said)).length === 2, "the others wait for one");
      said = await alice.say(home.general.id, "two");
      await readAll(said);
      await until(async () => (await whoRead(said)).length === 2, "the others wait for one who waits");
      expect(await whoRead(said)).toEqual(others);
      await holder.query("rollback");
      await until(async () => (await whoRead(said)).length === 3, `the markers of ${bob} are not stored`);
    }, 400_000);

  test("a later marker that is heard of while the person's turn comes is not overtaken by the one set aside", async () => {
    const [bob, carol] = readers as [TestPerson, TestPerson];
    const other = new pg.Client({ connectionString: house.settings.DATABASE_URL });
    await other.connect();
    const hold = async (client: pg.Client, { id }: TestPerson) => {
      await client.query("begin");
      await client.query("select from members where user_id = $1 for update", [id]);
    };
    await hold(holder, bob);
    await hold(other, carol);
    const said = await alice.say(home.general.id, "three");
    await readAll(said);
    await until(async () => (await whoRead(said)).length === 1, "one waits for the others");
    const waitsFor = async () => {
      // Within a transaction the statistics would stay those of the first look.
      await other.query("select pg_stat_clear_snapshot()");
      const { rows } = await other.query(
        "select 1 from pg_stat_activity where pg_backend_pid() <> all(pg_blocking_pids(pid)) and cardinality(pg_blocking_pids(pid)) > 0",
      );
      return rows.length > 0;
    };
    // Someone waits for Bob's row; Carol's is next.
    await until(waitsFor, "nobody waits for Bob's row");
    const later = { userId: carol.id, serverId: home.id, channelId: home.general.id, lastReadId: said.id };
    gathering(house.running.house).hear({
      noted: [
        {
          ...later,
          lastReadId: "a later one",
          isTold: true,
          turn: Number.MAX_SAFE_INTEGER,
          by: "another process",
        },
      ],
    });
    await other.query("rollback");
    // The attempt for Bob ends without his row, and Carol's begins.
    await until(async () => !(await waitsFor()), "Bob's row is waited for without end");
    await other.end();
    await holder.query("rollback");
    await until(async () => (await whoRead(said)).includes(bob.username), "Bob's marker is not stored");
    expect(await whoRead(said)).not.toContain(carol.username);
  }, 400_000);
});
