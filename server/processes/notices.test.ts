// Notices of other processes are heard once, whatever fails meanwhile and however long another transaction stays open.
import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import pg from "pg";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { forgetNotices, Notices } from "./notices.ts";

const few = 3000;

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("notices", () => {
  async function quietHouse() {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    await house.quiet();
    const { read } = house.running.house.database;
    const notices = new Notices(read);
    await notices.read();
    return { house, read, notices };
  }

  test("are heard at the next look where the log could not be read at this one", async () => {
    const { house, read, notices } = await quietHouse();
    const ended = { kind: "sessions-ended", userId: "a", sessionIds: ["b"] };
    const pointer = { kind: "pointer", stream: "server:none", seq: 1 };
    await sql`insert into notices (item) values (${JSON.stringify(ended)}), (${JSON.stringify(pointer)})`.execute(
      read,
    );
    await sql`alter table events rename to events_away`.execute(read);
    await expect(notices.read()).rejects.toThrow();
    await sql`alter table events_away rename to events`.execute(read);
    expect(await notices.read()).toContainEqual(ended as never);
    expect(await notices.read()).toEqual([]);
    await house.end();
  });

  test("of hundreds of people are read with two questions, in their order", async () => {
    const { house, read, notices } = await quietHouse();
    const count = 400;
    await sql`insert into events (stream, seq, audience, touches, frame, created_at)
      select 'server:' || i % 7, i, 'members', i::text, '{}', 1 from generate_series(1, ${count}::integer) i`.execute(
      read,
    );
    await sql`insert into notices (item)
      select json_build_object('kind', 'pointer', 'stream', 'server:' || i % 7, 'seq', i)::text
      from generate_series(1, ${count + 1}::integer) i`.execute(read);
    let heard: Awaited<ReturnType<Notices["read"]>>;
    const { statements } = await statementsOf(house, async () => {
      heard = await notices.read();
    });
    expect(statements).toHaveLength(2);
    expect(heard!.map((item) => item.kind === "logged" && item.touches)).toEqual(
      Array.from({ length: count }, (_, i) => [String(i + 1)]),
    );
    await house.end();
  });

  test("that were heard are not counted again while an older transaction is open", async () => {
    const { house, read, notices } = await quietHouse();
    const older = new pg.Client({ connectionString: house.settings.DATABASE_URL });
    await older.connect();
    await older.query("begin; select pg_current_xact_id()");
    const note = () =>
      sql`insert into notices (item) select ${JSON.stringify({ kind: "dropped", cache: "none", key: "k" })}
        from generate_series(1, ${few}::integer)`.execute(read);
    for (let i = 0; i < 3; i++) {
      await note();
      expect((await notices.read())?.length).toBe(few);
    }
    expect(await notices.read()).toEqual([]);
    await older.end();
    await house.end();
  });

  test("that are more than can be read at once are not told one by one: whoever is so far behind begins again", async () => {
    const { house, read, notices } = await quietHouse();
    const note = (count: number) =>
      sql`insert into notices (item) select ${JSON.stringify({ kind: "dropped", cache: "none", key: "k" })}
        from generate_series(1, ${count}::integer)`.execute(read);
    await note(4999);
    expect((await notices.read())?.length).toBe(4999);
    await note(5000);
    expect(await notices.read()).toBeUndefined();
    expect(await notices.read()).toEqual([]);
    await house.end();
  });

  test("are kept for ten minutes, by the clock of the database", async () => {
    const { house, read } = await quietHouse();
    const minute = 60_000;
    for (const age of [11 * minute, 9 * minute])
      await sql`insert into notices (item, created_at)
        values (${String(age)}, (extract(epoch from clock_timestamp()) * 1000)::bigint - ${age}::bigint)`.execute(
        read,
      );
    expect(await forgetNotices.run(house.running.house)).toBe(false);
    const left = await read.selectFrom("notices").select("item").where("item", "not like", "{%").execute();
    expect(left).toEqual([{ item: String(9 * minute) }]);
    await house.end();
  });

  test("of how a person looks now have the number of the person's own event", async () => {
    const { house, notices } = await quietHouse();
    const alice = await house.person("alice");
    await alice.makeServer();
    await notices.read();
    const numbers: number[] = [];
    house.running.house.bus.subscribe((items) => {
      for (const item of items)
        if (item.kind === "logged" && item.frame.includes('"ME_UPDATE"')) numbers.push(item.seq);
    });
    for (const status_text of ["one", "two"]) await alice.patch("/auth/me", { status_text });
    const rounds = ((await notices.read()) ?? []).filter((item) => item.kind === "round");
    const texts = new Map(rounds.map(({ seq, json }) => [seq, JSON.parse(json).status_text]));
    expect(numbers).toHaveLength(2);
    expect(numbers.map((seq) => texts.get(seq))).toEqual(["one", "two"]);
    await house.end();
  });
});
