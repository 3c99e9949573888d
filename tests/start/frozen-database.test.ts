// A PostgreSQL that stands still, or makes people wait: 503 soon, nothing acknowledged is lost, and the server can leave.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { temporaryFolder } from "../house/folder.ts";
import { TestPerson } from "../house/people.ts";
import { type PrivatePostgres, startPostgres } from "../house/postgres.ts";
import { type ServerProcess, startServer } from "../house/process.ts";
import { until } from "../house/waiting.ts";

const patienceMs = 60_000;

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a PostgreSQL", () => {
  const folder = temporaryFolder();
  let postgres: PrivatePostgres | undefined;
  let server: ServerProcess;
  let alice: TestPerson;
  let path: string;
  const settings = () => ({ DATA_DIR: folder.path, DATABASE_URL: postgres?.url ?? "", LOG_LEVEL: "warn" });

  beforeAll(async () => {
    postgres = await startPostgres(false);
    server = await startServer({ settings: settings() });
    alice = await TestPerson.register(server, "alice");
    path = `/channels/${(await alice.makeServer()).general.id}/messages`;
  });
  afterAll(async () => {
    postgres?.thaw();
    await server?.stop();
    await postgres?.[Symbol.asyncDispose]();
    folder.remove();
  });

  /** Says `count` things at once, each with a nonce, and answers the statuses. */
  async function say(what: string, count: number): Promise<number[]> {
    const said = Array.from({ length: count }, (_, i) =>
      alice.post(path, { content: `${what} ${i}`, nonce: `${what} ${i}` }),
    );
    return (await Promise.all(said)).map(({ status }) => status);
  }

  async function texts(): Promise<string[]> {
    return (await alice.get<Message[]>(`${path}?limit=100`)).body.map(({ content }) => content).sort();
  }

  test(
    "that stands still is 503 within half a minute, and /readyz within five seconds; it goes on by itself",
    async () => {
      expect(await say("before", 3)).toEqual([201, 201, 201]);
      postgres?.freeze();
      const late = say("frozen", 5);
      for (let looks = 0; looks < 2; looks++) {
        let status = 0;
        expect(
          await elapsed(async () => {
            status = (await fetch(`${server.url}/readyz`)).status;
          }),
        ).toBeLessThan(5000);
        expect(status).toBe(503);
      }
      const reading = alice.get("/auth/sessions");
      let statuses: number[] = [];
      expect(
        await elapsed(async () => {
          statuses = await late;
          expect((await reading).status).toBe(503);
        }),
      ).toBeLessThan(30_000);
      expect(statuses).toEqual([503, 503, 503, 503, 503]);
      postgres?.thaw();
      await until(async () => (await fetch(`${server.url}/readyz`)).ok, "it does not recover", patienceMs);
      // Whoever repeats what got no answer says it once.
      const again = await say("frozen", 5);
      expect(again.every((status) => status === 201 || status === 200)).toBe(true);
      expect(await texts()).toEqual(
        [0, 1, 2].map((i) => `before ${i}`).concat([0, 1, 2, 3, 4].map((i) => `frozen ${i}`)),
      );
    },
    patienceMs,
  );

  test(
    "with a table that somebody has locked for ten seconds: posts wait, and are there",
    async () => {
      const admin = new pg.Client({ connectionString: postgres?.url ?? "" });
      await admin.connect();
      await admin.query("begin");
      await admin.query("lock table messages");
      const waiting = Promise.all([say("locked", 40), alice.get(`${path}?limit=1`)]);
      await Bun.sleep(10_000);
      await admin.query("commit");
      await admin.end();
      const [statuses, page] = await waiting;
      expect([new Set(statuses), page.status]).toEqual([new Set([201]), 200]);
    },
    patienceMs,
  );

  test(
    "with a table that somebody keeps locked: a post is 503 within half a minute, also one that comes while others wait",
    async () => {
      const admin = new pg.Client({ connectionString: postgres?.url ?? "" });
      await admin.connect();
      await admin.query("begin");
      await admin.query("lock table messages");
      const first = say("long locked", 1);
      await Bun.sleep(1000);
      let statuses: number[] = [];
      const waited = await elapsed(async () => {
        statuses = await say("behind", 2);
      });
      expect(statuses).toEqual([503, 503]);
      expect(await first).toEqual([503]);
      expect(waited).toBeLessThan(30_000);
      await admin.query("rollback");
      await admin.end();
      expect(await say("behind", 2)).toEqual([201, 201]);
    },
    1.5 * patienceMs,
  );

  test(
    "that stands still does not keep the server from leaving within ten seconds",
    async () => {
      postgres?.freeze();
      const asked = alice.get("/auth/sessions").catch(() => undefined);
      const saying = say("goodbye", 3).catch(() => undefined);
      await Bun.sleep(500);
      expect(await elapsed(() => server.stop())).toBeLessThan(10_000);
      await Promise.all([asked, saying]);
      postgres?.thaw();
      server = await startServer({ settings: settings() });
    },
    patienceMs,
  );
});
