// A commit that PostgreSQL carried out and could not confirm: no client goes on as if it had not happened.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import pg from "pg";
import { gathering } from "../../features/read-states/gathering.ts";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { type Loose, TestPerson } from "../../tests/house/people/people.ts";
import { fetchFile, tryUpload } from "../../tests/house/scenes/files.ts";
import { hangCommits } from "../../tests/house/servers/hanging-commits.ts";
import { LateNews } from "../../tests/house/servers/late-news.ts";
import { type PrivatePostgres, startPostgres } from "../../tests/house/servers/postgres.ts";
import { readConfig } from "../config/config.ts";
import { features } from "../features.ts";
import { inClosedHouse, openHouse, type RunningHouse } from "../open.ts";
import { newId } from "../tokens.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a commit whose answer is lost", () => {
  const folder = temporaryFolder();
  let postgres: PrivatePostgres | undefined;
  let admin: pg.Client;
  let way: LateNews;
  let house: RunningHouse;

  beforeAll(async () => {
    postgres = await startPostgres(false);
    const DATABASE_URL = postgres?.url ?? "";
    admin = new pg.Client({ connectionString: DATABASE_URL });
    await admin.connect();
    way = await LateNews.to(DATABASE_URL);
    const settings = {
      PORT: "0",
      DATA_DIR: folder.path,
      RATE_LIMITS: "off",
      LOG_LEVEL: "silent",
      DATABASE_URL: way.url,
    };
    house = await openHouse(readConfig([], settings), { features });
  });
  afterAll(async () => {
    await house?.stop();
    way?.close();
    await admin?.end();
    await postgres?.[Symbol.asyncDispose]();
    folder.remove();
  });

  test("is 503, and the listeners resume and hear of it", async () => {
    const [alice, bob] = [await TestPerson.register(house, "alice"), await TestPerson.register(house, "bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const isSaid = async () => (await messagesOf(bob, home.general.id)).length > 0;
    const isNamed = async () => String((await bob.get(`/servers/${home.id}`)).body.name) === "Elsewhere";
    const changes = [
      [
        "MESSAGE_CREATE",
        isSaid,
        () => alice.post(`/channels/${home.general.id}/messages`, { content: "anybody?" }),
      ],
      ["SERVER_UPDATE", isNamed, () => alice.patch(`/servers/${home.id}`, { name: "Elsewhere" })],
    ] as const;
    for (const [title, hasHappened, work] of changes) {
      const ear = await bob.listen();
      // A write may be refused before its commit.
      do expect((await unanswered(work)).status).toBe(503);
      while (!(await hasHappened()));
      expect((await ear.closed).code).toBe(1012);
      const again = await bob.listen(ear.resumePoint);
      // The house may have found the event in the log before it knew of the lost connection: see the next test.
      expect(again.types).toEqual(ear.heard(title).length > 0 ? ["RESUMED"] : [title, "RESUMED"]);
      await again.settle();
      expect([...ear.heard(title), ...again.heard(title)]).toHaveLength(1);
      again.close();
    }
    expect(await messagesOf(bob, home.general.id)).toHaveLength(1);
  });

  test("is heard once by a listener whom the log told of it before the house knew of the lost connection", async () => {
    const [alice, bob] = [await TestPerson.register(house, "alice"), await TestPerson.register(house, "bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const ear = await bob.listen();
    // Nothing else is committed now: the first lost connection that the house does not notice is that of the post.
    await house.jobs.stop();
    await gathering(house.house).store();
    way.keepOpen();
    const working = unanswered(() => alice.post(`/channels/${home.general.id}/messages`, { content: "hm?" }));
    await ear.next("MESSAGE_CREATE");
    way.tellEnds();
    expect((await working).status).toBe(503);
    expect((await ear.closed).code).toBe(1012);
    const again = await bob.listen(ear.resumePoint);
    await alice.say(home.general.id, "the next one");
    await again.next("MESSAGE_CREATE");
    expect(again.types).toEqual(["RESUMED", "MESSAGE_CREATE"]);
    expect(again.heard("MESSAGE_CREATE")[0]?.data.content as unknown).toBe("the next one");
  });

  test("leaves nobody with rights that they lost, or without what they gained", async () => {
    const [alice, bob] = [await TestPerson.register(house, "alice"), await TestPerson.register(house, "bob")];
    const home = await alice.makeServer();
    const { code } = (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body;
    const ear = await bob.listen();
    expect((await unanswered(() => bob.post(`/invites/${code}/join`))).status).toBe(503);
    expect((await ear.closed).code).toBe(1012);
    const again = await bob.listen(ear.resumePoint);
    // As above, he may have got it before: then he resumes.
    const given = [
      ...ear.heard("SERVER_CREATE").map(({ data }) => data),
      ...again.heard("READY").flatMap(({ data }) => data.servers as unknown as Loose[]),
    ];
    expect(given.map(({ id }) => String(id))).toEqual([home.id]);
    expect((await bob.get(`/servers/${home.id}`)).status).toBe(200);
    const leaving = () => bob.delete(`/servers/${home.id}/members/@me`);
    expect((await unanswered(leaving)).status).toBe(503);
    expect((await bob.get(`/servers/${home.id}`)).status).toBe(404);
  });

  test("leaves the file of an upload to the row that it may have", async () => {
    const alice = await TestPerson.register(house, "alice");
    expect((await unanswered(() => tryUpload(alice, "note.txt", "kept"))).status).toBe(503);
    const { rows } = await admin.query("select filename from uploads");
    expect(rows).toHaveLength(1);
    expect(await (await fetchFile(alice, `/files/${rows[0].filename}`)).text()).toBe("kept");
  });

  async function messagesOf(person: TestPerson, channelId: string): Promise<unknown[]> {
    return (await person.get<unknown[]>(`/channels/${channelId}/messages`)).body;
  }

  /** While `work` runs, each commit waits for a standby that does not exist, and its connection is cut. */
  async function unanswered<T>(work: () => Promise<T>): Promise<T> {
    const release = await hangCommits(admin, postgres?.url ?? "");
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = ''",
      );
      await Bun.sleep(5);
    }
    await release();
    return working;
  }
});

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a shared commit while the database is away", () => {
  test("is tried together and once more, not once for each who waits", async () => {
    const folder = temporaryFolder();
    const postgres = await startPostgres(false);
    const settings = {
      PORT: "0",
      DATA_DIR: folder.path,
      LOG_LEVEL: "silent",
      DATABASE_URL: postgres?.url ?? "",
    };
    // Without recurring jobs, which would try to commit, too.
    await inClosedHouse(readConfig([], settings), { features }, async (house) => {
      await postgres?.[Symbol.asyncDispose]();
      const tries = spyOn(house.database, "transaction");
      const nonce = (i: number) => ({
        author_id: newId(),
        channel_id: newId(),
        nonce: `${i}`,
        message_id: newId(),
      });
      const works = Array.from({ length: 50 }, (_, i) =>
        house.share(async (unit) => {
          unit.append("message_nonces", { ...nonce(i), body_hash: "", created_at: Date.now() });
        }),
      );
      const ends = await Promise.allSettled(works);
      expect(ends.every((end) => end.status === "rejected" && house.database.isAway(end.reason))).toBe(true);
      expect(tries).toHaveBeenCalledTimes(2);
    }).finally(folder.remove);
  });
});
