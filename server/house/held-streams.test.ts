// A row that another transaction does not release: its dependents wait or are refused, and everything else goes on.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { sql } from "kysely";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { openPatient } from "../../tests/house/scenes/patient.ts";
import { isLockWaitedFor } from "../../tests/house/servers/locks.ts";
import { type Db, InDoubt } from "../database/database.ts";
import type { Patience } from "../database/patience.ts";
import { serverStream } from "../place.ts";
import { newId } from "../tokens.ts";
import { heldStreams } from "./held-streams.ts";
import { standingOf } from "./standing.ts";

/** Idle timeout of a transaction here, and a longer time. A server's is 4 s, as postgres-pool.test.ts checks. */
const idleMs = 300;
const stillMs = 900;

const hasPostgres = Bun.env.HEARTH_TEST_POSTGRES !== undefined;
const skipped = hasPostgres ? "" : " (skipped: no PostgreSQL here)";
type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

/** Tests in a house with these timeouts for PostgreSQL. Each test has a held server, and another one. */
function heldRows(title: string, patience: Partial<Patience>, tests: (scene: () => Scene) => void): void {
  describe.skipIf(!hasPostgres)(`${title}${skipped}`, () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await Scene.open(patience);
    });
    afterAll(() => scene?.end());
    tests(() => scene);
  });
}

class Scene {
  readonly house: Awaited<ReturnType<typeof openPatient>>;
  readonly holder: pg.Client;
  readonly alice: TestPerson;
  held!: Home;
  other!: Home;

  private constructor(house: Scene["house"], holder: pg.Client, alice: TestPerson) {
    this.house = house;
    this.holder = holder;
    this.alice = alice;
  }

  static async open(patience: Partial<Patience>): Promise<Scene> {
    const house = await openPatient(patience);
    const holder = new pg.Client({ connectionString: house.databaseUrl });
    await holder.connect();
    return new Scene(house, holder, await house.person("alice"));
  }

  async end(): Promise<void> {
    await this.holder.end();
    await this.house.end();
  }

  /** Makes new servers, and locks the row of the first one's stream. */
  async hold(): Promise<void> {
    [this.held, this.other] = [await this.alice.makeServer(), await this.alice.makeServer()];
    await this.holder.query("begin");
    const { id } = this.held;
    await this.holder.query("select from streams where stream = $1 for update", [serverStream(id)]);
  }

  async letGo(): Promise<void> {
    await this.holder.query("rollback");
  }

  post(home: Home, content: string, nonce = newId()) {
    return this.alice.post<Message>(`/channels/${home.general.id}/messages`, { content, nonce });
  }

  async contentsOf(home: Home): Promise<string[]> {
    const { body } = await this.alice.get<Message[]>(`/channels/${home.general.id}/messages`);
    return body.map(({ content }) => content).toReversed();
  }

  /** Posts to the other server, one after the other; all are answered while `waiting` is pending. */
  async othersGoOn(waiting: readonly Promise<unknown>[], count = 10): Promise<void> {
    let ended = 0;
    for (const each of waiting) each.finally(() => ended++).catch(() => {});
    for (let i = 0; i < count; i++) expect((await this.post(this.other, `${i}`)).status).toBe(201);
    expect(ended).toBe(0);
  }
}

/** Waiting calls do not time out before a slow machine has finished the rest. */
heldRows("a held row that is waited for", { lockMs: 200, heldMs: 120_000 }, (scene) => {
  test("of one server holds up the posts of that server alone, which are committed once it is let go", async () => {
    await scene().hold();
    const { held } = scene();
    // Concurrent posts arrive in any order.
    const contents = Array.from({ length: 20 }, (_, i) => `message ${i}`).toSorted();
    const posts = contents.map((content) => scene().post(held, content));
    await scene().othersGoOn(posts);
    // The later post waits behind the earlier ones.
    posts.push(scene().post(held, "later"));
    await scene().othersGoOn(posts);
    await scene().letGo();
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(posts.map(() => 201));
    const kept = await scene().contentsOf(held);
    expect(kept.slice(0, -1).toSorted()).toEqual(contents);
    expect(kept.at(-1)).toBe("later");
  });

  test("of one server leaves connections to others, however many changes of it wait, and these are made afterwards", async () => {
    await scene().hold();
    const changes = Array.from({ length: 40 }, (_, i) =>
      scene().alice.patch(`/servers/${scene().held.id}`, { name: `name ${i}` }),
    );
    await scene().othersGoOn(changes, 5);
    await scene().letGo();
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test("is waited for before rights are looked at: nobody decides by what is about to change", async () => {
    await scene().hold();
    const { alice, held, house } = scene();
    const { house: running } = house.running;
    let hasDecided = false;
    const deciding = running.write(async (unit) => {
      const standing = await standingOf(unit, held.id, alice.id);
      hasDecided = true;
      return standing?.isOwner;
    });
    const waits = async () =>
      heldStreams(running).has(serverStream(held.id)) || (await isLockWaitedFor(running.database.read));
    await until(async () => hasDecided || (await waits()), "it does not come to the row");
    expect(hasDecided).toBe(false);
    await scene().letGo();
    expect(await deciding).toBe(true);
  });

  test("that is no stream's holds up the server that needs it, and no other", async () => {
    await scene().hold();
    await scene().letGo();
    const { alice, held, holder } = scene();
    const nonce = newId();
    await holder.query("begin");
    await holder.query(
      `insert into message_nonces (author_id, channel_id, nonce, message_id, body_hash, created_at)
        values ($1, $2, $3, $4, '', 0)`,
      [alice.id, held.general.id, nonce, newId()],
    );
    const waiting = scene().post(held, "the same nonce", nonce);
    await scene().othersGoOn([waiting]);
    await scene().letGo();
    expect((await waiting).status).toBe(201);
    expect(await scene().contentsOf(held)).toEqual(["the same nonce"]);
  });
});

/** Calls that wait for the row keep their connection longer than other calls' timeouts. */
heldRows("a held row for which each try waits long", { lockMs: 60_000, heldMs: 120_000 }, (scene) => {
  for (const [what, row, change] of [
    [
      "a person's, leaves connections to others, however many calls of theirs wait",
      (bob: TestPerson) => ["select from users where id = $1 for update", bob.id],
      (bob: TestPerson, i: number) => bob.patch("/auth/me", { bio: `bio ${i}` }),
    ],
    [
      "a message's, leaves connections to others, however many corrections wait",
      (_: TestPerson, messageId: string) => ["select from messages where id = $1 for update", messageId],
      (bob: TestPerson, i: number, messageId: string) =>
        bob.patch(`/messages/${messageId}`, { content: `words ${i}` }),
    ],
  ] as const)
    test(what, async () => {
      await scene().hold();
      await scene().letGo();
      const { alice, held, other, holder, house } = scene();
      const bob = await house.person("bob");
      await alice.bringIn(held.id, bob);
      const { id } = await bob.say(held.general.id, "words");
      const [statement, ...values] = row(bob, id);
      await holder.query("begin");
      await holder.query(statement!, values);
      const waiting = Array.from({ length: 40 }, (_, i) => change(bob, i, id));
      let ended = 0;
      for (const each of waiting) each.finally(() => ended++).catch(() => {});
      // Posts, and changes that have a transaction of their own.
      for (let i = 0; i < 10; i++) {
        expect((await scene().post(other, `${i}`)).status).toBe(201);
        expect((await alice.patch("/auth/me", { bio: `bio ${i}` })).status).toBe(200);
      }
      expect(ended).toBe(0);
      await scene().letGo();
      expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    });
});

heldRows("a held row that is given up", { lockMs: 200, heldMs: 3000 }, (scene) => {
  test("makes its posts 503, and the same posts are taken once afterwards", async () => {
    await scene().hold();
    const { held } = scene();
    const nonces = Array.from({ length: 5 }, () => newId());
    const posts = nonces.map((nonce, i) => scene().post(held, `message ${i}`, nonce));
    const isOver = { posts: false };
    const refused = Promise.all(posts).finally(() => {
      isOver.posts = true;
    });
    while (!isOver.posts) expect((await scene().post(scene().other, "meanwhile")).status).toBe(201);
    for (const { status, body } of await refused) {
      expect(status).toBe(503);
      expect(body).toMatchObject({ code: "unavailable" });
    }
    await scene().letGo();
    for (const [i, nonce] of nonces.entries())
      expect((await scene().post(held, `message ${i}`, nonce)).status).toBe(201);
    expect(await scene().contentsOf(held)).toEqual(nonces.map((_, i) => `message ${i}`));
  });
});

heldRows("a row of a transaction that stands still", {}, (scene) => {
  test("is let go by PostgreSQL, and the commit is in doubt", async () => {
    const { alice, house } = scene();
    const home = await alice.makeServer();
    const { database } = house.running.house;
    const transaction = database.transaction.bind(database);
    const { promise: standsStill, resolve } = Promise.withResolvers<void>();
    const still = spyOn(database, "transaction").mockImplementationOnce((work, tries) =>
      transaction(async (db) => {
        const result = await work(db);
        await mayStandIdle(db, idleMs);
        resolve();
        // Simulates a stopped process: it reads the end of the connection after it has sent the commit.
        Bun.sleepSync(stillMs);
        return result;
      }, tries),
    );
    const standing = scene().post(home, "in doubt");
    await standsStill;
    still.mockRestore();
    expect((await standing).status).toBe(503);
    expect((await scene().post(home, "afterwards")).status).toBe(201);
    expect(await scene().contentsOf(home)).toEqual(["afterwards"]);
    await expect(
      transaction(async (db) => {
        await mayStandIdle(db, idleMs);
        Bun.sleepSync(stillMs);
      }),
    ).rejects.toBeInstanceOf(InDoubt);
    // The pool has another connection for the next post.
    await until(async () => (await scene().post(home, "last")).status === 201, "no post is taken");
  });
});

/** For this transaction only: on a busy machine another one may be idle for longer. */
async function mayStandIdle(db: Db, ms: number): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(ms)}`.execute(db);
}
