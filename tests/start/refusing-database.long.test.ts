// A read-only PostgreSQL: 503 for each write, reported by /readyz, the log and the doctor; reads go on.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import { hearth } from "../cli/hearth.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { type PrivatePostgres, startPostgres } from "../house/servers/postgres.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a PostgreSQL", () => {
  const folder = temporaryFolder();
  const settings = { DATA_DIR: folder.path, DATABASE_URL: "", LOG_LEVEL: "info" };
  let postgres: PrivatePostgres | undefined;
  let admin: pg.Client;
  let server: ServerProcess;
  let alice: TestPerson;
  let path: string;

  beforeAll(async () => {
    postgres = await startPostgres(false);
    const url = new URL(postgres?.url ?? "");
    const maker = new pg.Client({ connectionString: url.href });
    await maker.connect();
    await maker.query("create role chat login");
    await maker.query("create database chat owner chat");
    await maker.end();
    url.pathname = "/chat";
    admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    url.username = "chat";
    settings.DATABASE_URL = url.href;
    server = await startServer({ settings });
    alice = await TestPerson.register(server, "alice");
    path = `/channels/${(await alice.makeServer()).general.id}/messages`;
    await alice.post(path, { content: "before" });
  });
  afterAll(async () => {
    await server?.stop();
    await admin?.end();
    await postgres?.[Symbol.asyncDispose]();
    folder.remove();
  });

  const readiness = async () => {
    const answer = await fetch(`${server.url}/readyz`);
    return [answer.status, await answer.text()];
  };

  const reconnect = () =>
    admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'chat'");
  const refusals: [string, string, string, string][] = [
    [
      "allows only reads",
      "alter database chat set default_transaction_read_only = on",
      "alter database chat reset default_transaction_read_only",
      "PostgreSQL allows only reads",
    ],
    [
      "takes the right to write away",
      "revoke insert on all tables in schema public from chat",
      "grant insert on all tables in schema public to chat",
      "does not let the role in DATABASE_URL write",
    ],
  ];
  for (const [how, begin, end, says] of refusals) {
    test(`that ${how}`, async () => {
      await admin.query(begin);
      await reconnect();
      const say = () => alice.post<{ code: string }>(path, { content: "during", nonce: how });
      await until(async () => {
        await say();
        return String((await readiness())[1]).includes(says);
      }, "it does not say that nothing is written");
      expect(await readiness()).toEqual([200, expect.stringMatching(/^ready\nNo writes are taken: /)]);
      expect(await say()).toMatchObject({ status: 503, body: { code: "unavailable" } });
      expect((await alice.get(path)).status).toBe(200);
      const { exitCode, stdout } = await hearth("doctor", { ...settings, PORT: new URL(server.url).port });
      expect([exitCode, stdout]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^wrong +database .*${says}`, "m")),
      ]);

      await admin.query(end);
      await until(async () => (await readiness())[1] === "ready\n", "it does not recover by itself");
      expect((await say()).status).toBe(201);
      await until(() => server.stderr().includes("writes are taken again"), "the log does not say it");
      expect(server.stderr().split(`no writes are taken: PostgreSQL`)).toHaveLength(
        refusals.findIndex(([each]) => each === how) + 2,
      );
    });
  }

  test("that allows only reads is told of where nobody writes", async () => {
    await admin.query("alter database chat set default_transaction_read_only = on");
    await reconnect();
    await until(
      async () =>
        String((await readiness())[1]) === "ready\nNo writes are taken: PostgreSQL allows only reads\n",
      "it does not say that nothing would be written",
    );
    await admin.query("alter database chat reset default_transaction_read_only");
    await until(async () => (await readiness())[1] === "ready\n", "it does not recover by itself");
  });
});
