// A database that is of a newer version, down, or goes away: reported in one sentence, and left untouched.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Db } from "../../server/database/database.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { onOneProcess } from "../house/open/engines.ts";
import { send, TestPerson } from "../house/people/people.ts";
import { type PrivatePostgres, startPostgres } from "../house/servers/postgres.ts";
import { expectErrorBody } from "../routes/error-body.ts";
import { expectOneSentence } from "./one-sentence.ts";
import { startRefused } from "./refused.ts";

const newer = "9999_from_the_future";

onOneProcess("a database that a newer Hearth has written", (house) => {
  test("is refused by name and left as it is; what is in it is there again for the right version", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer("Kept");
    await write((db) =>
      sql`insert into kysely_migration (name, timestamp) values (${newer}, 'then')`.execute(db),
    );
    const before = await tables();
    await house().shut();

    expectOneSentence(await startRefused(house().settings), /newer version of Hearth/);

    // The server of this process would be refused as well, so the row is removed before it opens.
    await withoutTheRow();
    await house().open();
    expect(await tables()).toEqual(before.filter((name) => name !== newer));
    const there = await send(house(), alice.token, "GET", `/servers/${home.id}`);
    expect([there.status, there.body.name as unknown]).toEqual([200, "Kept"]);
  });

  function write(work: (db: Db) => Promise<unknown>) {
    return house().running.house.database.transaction(work);
  }

  async function tables(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      house().running.house.database.read,
    );
    return rows.map((row) => row.name);
  }

  async function withoutTheRow(): Promise<void> {
    const { openDatabase } = await import("../../server/database/open.ts");
    const { readConfig } = await import("../../server/config/config.ts");
    const database = await openDatabase(readConfig([], house().settings));
    await database.transaction((db) => sql`delete from kysely_migration where name = ${newer}`.execute(db));
    await database.close();
  }
});

describe("a PostgreSQL that does not answer", () => {
  test("at the start is one sentence, without the password of its address", async () => {
    const folder = temporaryFolder();
    const DATABASE_URL = `postgres://hearth:swordfish@127.0.0.1:${await freePort()}/hearth`;
    const start = await startRefused({ DATA_DIR: folder.path, DATABASE_URL });
    expectOneSentence(start, /DATABASE_URL/);
    expect(start.stderr).not.toContain("swordfish");
    folder.remove();
  });
});

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a PostgreSQL that goes away while the server runs", () => {
  const folder = temporaryFolder();
  let postgres: PrivatePostgres | undefined;
  let server: ServerProcess;
  beforeAll(async () => {
    postgres = await startPostgres(false);
    server = await startServer({ settings: { DATA_DIR: folder.path, DATABASE_URL: postgres?.url ?? "" } });
  });
  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  test("is 503 for whoever needs it, and the process stays and says that it is not ready", async () => {
    const alice = await TestPerson.register(server, "alice");
    const home = await alice.makeServer();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await postgres?.[Symbol.asyncDispose]();

    const login = { email: alice.username, password: alice.password };
    const calls = {
      "a change": await alice.post("/servers", { name: "Nowhere" }),
      "a message": await alice.post(`/channels/${home.general.id}/messages`, { content: "Anybody?" }),
      "a read": await alice.get("/auth/sessions"),
      "a login": await send(server, undefined, "POST", "/auth/login/password", login),
      "a stranger's session": await send(server, `hs_${"x".repeat(43)}`, "GET", "/auth/me"),
    };
    const answered = Object.entries(calls).map(([title, { status, body }]) => [
      title,
      status,
      body.code as unknown,
    ]);
    expect(answered).toEqual(Object.keys(calls).map((title) => [title, 503, "unavailable"]));
    for (const answer of Object.values(calls)) {
      expectErrorBody(answer);
      expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|127\.0\.0\.1|terminat|select/i);
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});
