// A PostgreSQL with few connections: reported at the start and by the doctor; requests wait instead of being refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import { hearth } from "../cli/hearth.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { TestPerson } from "../house/people/people.ts";
import { type PrivatePostgres, startPostgres } from "../house/servers/postgres.ts";
import { expectOneSentence } from "./one-sentence.ts";
import { startRefused } from "./refused.ts";

const patienceMs = 400_000;

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a PostgreSQL", () => {
  let postgres: PrivatePostgres | undefined;
  let admin: pg.Client;
  let folder: TemporaryFolder;
  const settings = { DATA_DIR: "", DATABASE_URL: "", LOG_LEVEL: "warn" };
  beforeAll(async () => {
    folder = temporaryFolder();
    postgres = await startPostgres(false);
    admin = new pg.Client({ connectionString: postgres?.url ?? "" });
    await admin.connect();
    await admin.query("create role chat login");
    await admin.query("create database chat owner chat");
    const url = new URL(postgres?.url ?? "");
    [url.username, url.pathname] = ["chat", "/chat"];
    Object.assign(settings, { DATA_DIR: folder.path, DATABASE_URL: url.href });
  });
  afterAll(async () => {
    await admin?.end();
    await postgres?.[Symbol.asyncDispose]();
    folder.remove();
  });

  /** The statuses of three rounds of sixty concurrent calls of several kinds. */
  async function crowd(server: ServerProcess): Promise<Set<number>> {
    const alice = await TestPerson.register(server, "alice");
    const home = await alice.makeServer();
    const statuses = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const calls = Array.from({ length: 60 }, (_, i) => {
        if (i % 3 === 0) return alice.get("/auth/sessions");
        if (i % 3 === 1) return alice.patch(`/servers/${home.id}`, { name: `name ${i}` });
        return alice.post(`/channels/${home.general.id}/messages`, { content: `number ${i}` });
      });
      for (const { status } of await Promise.all(calls)) statuses.add(status);
    }
    const ears = await Promise.all(Array.from({ length: 20 }, () => alice.listen()));
    for (const ear of ears) ear.close();
    return statuses;
  }

  test(
    "that grants a role five connections: a warning says so, as does the doctor, and everybody is answered",
    async () => {
      await admin.query("alter role chat connection limit 5");
      const server = await startServer({ settings });
      expect(await crowd(server)).toEqual(new Set([200, 201]));
      await server.stop();
      expect(server.stderr()).toMatch(/"level":"warn".*needs 24 connections.*5 are granted/);
      expect((await hearth("doctor", settings)).stdout).toMatch(
        /^note +connections +Hearth needs 24 connections/m,
      );
    },
    patienceMs,
  );

  test(
    "whose connections others have used up: calls wait until there is one",
    async () => {
      await admin.query("alter role chat connection limit -1");
      const server = await startServer({ settings });
      expect(server.stderr()).not.toContain("connections");
      await admin.query("alter role chat connection limit 4");
      expect(await crowd(server)).toEqual(new Set([200, 201]));
      await server.stop();
      expect((await hearth("doctor", settings)).stdout).toMatch(/^note +connections/m);
      await admin.query("alter role chat connection limit -1");
      expect((await hearth("doctor", settings)).stdout).toMatch(/^ok +connections/m);
    },
    patienceMs,
  );

  test("that grants two is refused with a sentence", async () => {
    await admin.query("alter role chat connection limit 2");
    expectOneSentence(await startRefused(settings), /24 connections.*2 are granted/);
    await admin.query("alter role chat connection limit -1");
  });
});
