// A row that another transaction does not let go of: what belongs to it waits or is refused, and everything else goes on.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { sql } from "kysely";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { makeHouse, type TestHouse } from "../../tests/house/engines.ts";
import type { TestPerson } from "../../tests/house/people.ts";
import { until } from "../../tests/house/waiting.ts";
import { InDoubt } from "../database/database.ts";
import { serverStream } from "../place.ts";
import { newId } from "../tokens.ts";

/** Longer than PostgreSQL lets a transaction stand idle. */
const stillMs = 5000;
const patienceMs = 400_000;

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a held row (skipped where there is no PostgreSQL)", () => {
  let house: TestHouse;
  let alice: TestPerson;
  let holder: pg.Client;
  type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;
  let held: Home;
  let other: Home;

  beforeAll(async () => {
    house = await makeHouse("PostgreSQL", {});
    await house.open();
    holder = new pg.Client({ connectionString: house.settings.DATABASE_URL });
    await holder.connect();
    alice = await house.person("alice");
  });
  afterAll(async () => {
    await holder?.end();
    await house?.end();
  });
  const post = (home: Home, content: string, nonce = newId()) =>
    alice.post<Message>(`/channels/${home.general.id}/messages`, { content, nonce });

  async function contentsOf(home: Home): Promise<string[]> {
    const { body } = await alice.get<Message[]>(`/channels/${home.general.id}/messages`);
    return body.map(({ content }) => content).toReversed();
  }

  async function hold({ id }: Home): Promise<void> {
    await holder.query("begin");
    await holder.query("select from streams where stream = $1 for update", [serverStream(id)]);
  }

  /** Posts into the other server, one after the other. Returns whether all were answered while `waiting` waited. */
  async function othersGoOn(waiting: readonly Promise<unknown>[], count = 10): Promise<boolean> {
    let ended = 0;
    for (const each of waiting) each.finally(() => ended++).catch(() => {});
    for (let i = 0; i < count; i++) expect((await post(other, `${i}`)).status).toBe(201);
    return ended === 0;
  }

  /**
   * Tries with servers of its own until it goes well: what waits is refused after some seconds, and a slow machine may
   * take longer for what should go on beside it.
   */
  function untilInTime(attempt: () => Promise<boolean>): Promise<void> {
    return until(
      async () => {
        [held, other] = [await alice.makeServer(), await alice.makeServer()];
        return await attempt();
      },
      "others wait for it, or what waits is refused at once",
      patienceMs / 2,
    );
  }

  test(
    "of one server holds up the posts of that server alone, which are committed once it is let go",
    () =>
      untilInTime(async () => {
        await hold(held);
        // Those that are sent at the same moment arrive in any order.
        const contents = Array.from({ length: 20 }, (_, i) => `message ${i}`).toSorted();
        const posts = contents.map((content) => post(held, content));
        const isFirst = await othersGoOn(posts);
        // It waits behind those that came before.
        posts.push(post(held, "later"));
        const isFirstAgain = await othersGoOn(posts);
        await holder.query("rollback");
        const statuses = (await Promise.all(posts)).map(({ status }) => status);
        if (!isFirst || !isFirstAgain || statuses.includes(503)) return false;
        expect(statuses).toEqual(posts.map(() => 201));
        const kept = await contentsOf(held);
        expect(kept.slice(0, -1).toSorted()).toEqual(contents);
        expect(kept.at(-1)).toBe("later");
        return true;
      }),
    patienceMs,
  );

  test(
    "that is not let go makes its posts 503, and the same posts are taken once afterwards",
    () =>
      untilInTime(async () => {
        await hold(held);
        const nonces = Array.from({ length: 5 }, () => newId());
        const posts = nonces.map((nonce, i) => post(held, `message ${i}`, nonce));
        const isFirst = await othersGoOn(posts);
        for (const { status, body } of await Promise.all(posts)) {
          expect(status).toBe(503);
          expect(body).toMatchObject({ code: "unavailable" });
        }
        await holder.query("rollback");
        for (const [i, nonce] of nonces.entries())
          expect((await post(held, `message ${i}`, nonce)).status).toBe(201);
        expect(await contentsOf(held)).toEqual(nonces.map((_, i) => `message ${i}`));
        return isFirst;
      }),
    patienceMs,
  );

  test(
    "of one server leaves connections to others, however many changes of it wait, and these are made afterwards",
    () =>
      untilInTime(async () => {
        await hold(held);
        const changes = Array.from({ length: 40 }, (_, i) =>
          alice.patch(`/servers/${held.id}`, { name: `name ${i}` }),
        );
        const isFirst = await othersGoOn(changes, 5);
        await holder.query("rollback");
        const statuses = new Set((await Promise.all(changes)).map(({ status }) => status));
        if (!isFirst || statuses.has(503)) return false;
        expect(statuses).toEqual(new Set([200]));
        return true;
      }),
    patienceMs,
  );

  test(
    "that is no stream's holds up the server that needs it, and no other",
    () =>
      untilInTime(async () => {
        const nonce = newId();
        await holder.query("begin");
        await holder.query(
          `insert into message_nonces (author_id, channel_id, nonce, message_id, body_hash, created_at)
            values ($1, $2, $3, $4, '', 0)`,
          [alice.id, held.general.id, nonce, newId()],
        );
        const waiting = post(held, "the same nonce", nonce);
        const isFirst = await othersGoOn([waiting]);
        await holder.query("rollback");
        const { status } = await waiting;
        if (!isFirst || status === 503) return false;
        expect(status).toBe(201);
        expect(await contentsOf(held)).toEqual(["the same nonce"]);
        return true;
      }),
    patienceMs,
  );

  test(
    "of a transaction that stands still is let go by PostgreSQL, and the commit is in doubt",
    async () => {
      held = await alice.makeServer();
      const { database } = house.running.house;
      const transaction = database.transaction.bind(database);
      const { promise: standsStill, resolve } = Promise.withResolvers<void>();
      const still = spyOn(database, "transaction").mockImplementationOnce((work, tries) =>
        transaction(async (db) => {
          const result = await work(db);
          await sql`select 1`.execute(db);
          resolve();
          // As a process does that is stopped: the end of the connection is read after the commit was sent.
          Bun.sleepSync(stillMs);
          return result;
        }, tries),
      );
      const standing = post(held, "in doubt");
      await standsStill;
      still.mockRestore();
      expect((await standing).status).toBe(503);
      expect((await post(held, "afterwards")).status).toBe(201);
      expect(await contentsOf(held)).toEqual(["afterwards"]);
      await expect(
        transaction(async (db) => {
          await sql`select 1`.execute(db);
          Bun.sleepSync(stillMs);
        }),
      ).rejects.toBeInstanceOf(InDoubt);
      // The pool has another connection for the next.
      await until(async () => (await post(held, "last")).status === 201, "no post is taken");
    },
    patienceMs,
  );
});
