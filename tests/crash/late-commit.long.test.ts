// A PostgreSQL whose commits hang while it goes on reading: what was refused as unsure, and is done later, is heard then.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { temporaryFolder } from "../house/folder.ts";
import { hangCommits, leftDoubt } from "../house/hanging-commits.ts";
import { TestPerson } from "../house/people.ts";
import { type PrivatePostgres, startPostgres } from "../house/postgres.ts";
import { type ServerProcess, startServer } from "../house/process.ts";
import { until } from "../house/waiting.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a commit that is done after it was given up", () => {
  const folder = temporaryFolder();
  let postgres: PrivatePostgres | undefined;
  let admin: pg.Client;
  let server: ServerProcess;

  beforeAll(async () => {
    postgres = await startPostgres(false);
    admin = new pg.Client({ connectionString: postgres?.url ?? "" });
    await admin.connect();
    server = await startServer({ settings: { DATA_DIR: folder.path, DATABASE_URL: postgres?.url ?? "" } });
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
    await postgres?.[Symbol.asyncDispose]();
    folder.remove();
  });

  test("is on the page and heard by those who came back meanwhile", async () => {
    const [alice, bob] = [
      await TestPerson.register(server, "alice"),
      await TestPerson.register(server, "bob"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const path = `/channels/${home.general.id}/messages`;
    const texts = async () => (await bob.get<Message[]>(path)).body.map(({ content }) => content);
    const before = await bob.listen();

    const said = { content: "is anybody there?", nonce: "said once" };
    let release = await hangCommits(admin, postgres?.url ?? "");
    for (;;) {
      expect((await alice.post(path, said)).status).toBe(503);
      if (await leftDoubt(before)) break;
      await release();
      const isTaken = async () => (await alice.patch("/auth/me", { bio: "here" })).status === 200;
      await until(isTaken, "no write is taken");
      release = await hangCommits(admin, postgres?.url ?? "");
    }
    expect((await before.closed).code).toBe(1012);
    const ear = await bob.listen(before.resumePoint);
    expect(await texts()).toEqual([]);

    await release();
    const { data } = await ear.next("MESSAGE_CREATE");
    expect(data.content as unknown).toBe(said.content);
    expect(await texts()).toEqual([said.content]);
    const again = await alice.post<Message>(path, said);
    expect([again.status, again.body.id]).toEqual([200, String(data.id)]);
    await ear.settle();
    expect(ear.heard("MESSAGE_CREATE")).toHaveLength(1);
  });
});
