// A PostgreSQL that hangs or is slow: 503 soon, no acknowledged write is lost, and the server can stop.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { soon, until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { type PrivatePostgres, startPostgres } from "../house/servers/postgres.ts";

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

  /** Posts `count` messages at once, each with a nonce, and returns the statuses. */
  async function say(what: string, count: number): Promise<number[]> {
    const said = Array.from({ length: count }, (_, i) =>
      alice.post(path, { content: `${what} ${i}`, nonce: `${what} ${i}` }),
    );
    return (await Promise.all(said)).map(({ status }) => status);
  }

  async function texts(): Promise<string[]> {
    return (await alice.get<Message[]>(`${path}?limit=100`)).body.map(({ content }) => content).sort();
  }

  test("that stands still is 503 by and by, as is /readyz; it goes on by itself", async () => {
    expect(await say("before", 3)).toEqual([201, 201, 201]);
    postgres?.freeze();
    const late = say("frozen", 5);
    for (let looks = 0; looks < 2; looks++) {
      const { status } = await soon(fetch(`${server.url}/readyz`));
      expect(status).toBe(503);
    }
    const reading = alice.get("/auth/sessions");
    expect(await soon(late)).toEqual([503, 503, 503, 503, 503]);
    expect((await soon(reading)).status).toBe(503);
    postgres?.thaw();
    const readiness = async () => (await fetch(`${server.url}/readyz`)).text();
    await until(async () => (await readiness()) === "ready\n", "it does not recover");
    // A message that got no answer and is repeated exists once.
    const again = await say("frozen", 5);
    expect(again.every((status) => status === 201 || status === 200)).toBe(true);
    expect(await texts()).toEqual(
      [0, 1, 2].map((i) => `before ${i}`).concat([0, 1, 2, 3, 4].map((i) => `frozen ${i}`)),
    );
  });

  test("with a table that somebody has locked for ten seconds: posts wait, and are there", async () => {
    const admin = new pg.Client({ connectionString: postgres?.url ?? "" });
    await admin.connect();
    for (let round = 1, isHeldTooLong = true; isHeldTooLong; round++) {
      await admin.query("begin");
      await admin.query("lock table messages");
      const begun = performance.now();
      const waiting = Promise.all([say(`locked ${round},`, 40), alice.get(`${path}?limit=1`)]);
      await Bun.sleep(10_000);
      await admin.query("commit");
      isHeldTooLong = performance.now() - begun > 11_000;
      const [statuses, page] = await waiting;
      if (!isHeldTooLong) expect([new Set(statuses), page.status]).toEqual([new Set([201]), 200]);
    }
    await admin.end();
  });

  test("with a table that somebody keeps locked: a post is 503 by and by, also one that comes while others wait", async () => {
    const admin = new pg.Client({ connectionString: postgres?.url ?? "" });
    await admin.connect();
    await admin.query("begin");
    await admin.query("lock table messages");
    const first = say("long locked", 1);
    await Bun.sleep(1000);
    expect(await soon(say("behind", 2))).toEqual([503, 503]);
    expect(await soon(first)).toEqual([503]);
    await admin.query("rollback");
    await admin.end();
    expect(await say("behind", 2)).toEqual([201, 201]);
  });

  test("that stands still does not keep the server from leaving", async () => {
    postgres?.freeze();
    const asked = alice.get("/auth/sessions").catch(() => undefined);
    const saying = say("goodbye", 3).catch(() => undefined);
    await Bun.sleep(500);
    await soon(server.stop());
    await Promise.all([asked, saying]);
    postgres?.thaw();
    server = await startServer({ settings: settings() });
  });
});
