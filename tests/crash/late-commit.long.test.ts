// A PostgreSQL whose commits hang while reads go on: a write refused as uncertain, and committed later, is heard then.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { readConfig } from "../../server/config/config.ts";
import { usualPatience } from "../../server/database/patience.ts";
import { features } from "../../server/features.ts";
import { openHouse, type RunningHouse } from "../../server/open.ts";
import { serverStream } from "../../server/place.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { hangCommits } from "../house/servers/hanging-commits.ts";
import { type PrivatePostgres, startPostgres } from "../house/servers/postgres.ts";

/** Shorter timeouts than a server's. */
const patience = { ...usualPatience, answerMs: 4000, statementMs: 3500 };

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a commit that is done after it was given up", () => {
  const folder = temporaryFolder();
  let postgres: PrivatePostgres | undefined;
  let admin: pg.Client;
  let house: RunningHouse;

  beforeAll(async () => {
    postgres = await startPostgres(false);
    const settings = {
      ...{ PORT: "0", DATA_DIR: folder.path, RATE_LIMITS: "off", LOG_LEVEL: "silent" },
      DATABASE_URL: postgres?.url ?? "",
    };
    admin = new pg.Client({ connectionString: settings.DATABASE_URL });
    await admin.connect();
    house = await openHouse(readConfig([], settings), { features, patience });
  });
  afterAll(async () => {
    await house?.stop();
    await admin?.end();
    await postgres?.[Symbol.asyncDispose]();
    folder.remove();
  });

  /** True if a hanging commit holds the lock of this server's stream. */
  async function isUnderWay(serverId: string): Promise<boolean> {
    await admin.query("begin");
    const free = "select from streams where stream = $1 for update skip locked";
    const { rowCount } = await admin.query(free, [serverStream(serverId)]);
    await admin.query("rollback");
    return rowCount === 0;
  }

  test("is on the page and heard by those who came back meanwhile", async () => {
    const [alice, bob] = [await TestPerson.register(house, "alice"), await TestPerson.register(house, "bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const path = `/channels/${home.general.id}/messages`;
    const texts = async () => (await bob.get<Message[]>(path)).body.map(({ content }) => content);
    const before = await bob.listen();

    const said = { content: "is anybody there?", nonce: "said once" };
    let release = await hangCommits(admin, postgres?.url ?? "");
    for (;;) {
      expect((await alice.post(path, said)).status).toBe(503);
      if (await isUnderWay(home.id)) break;
      // The write was refused before its commit, as an earlier commit hung.
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
