// Processes on one PostgreSQL without a Redis form one Hearth: they notify each other through the database.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import pg from "pg";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { standStill } from "../house/machine/standing-still.ts";
import { promptly, until } from "../house/machine/waiting.ts";
import { at } from "../house/open/cluster.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { enter } from "../house/scenes/parlour.ts";
import { readState } from "../house/scenes/read-states.ts";
import { expectOneSentence } from "../start/one-sentence.ts";
import { startRefused } from "../start/refused.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("two processes (skipped where there is no PostgreSQL)", () => {
  let place: TestHouse;
  const media = new LiveKitDouble();
  const folders: TemporaryFolder[] = [];
  let one: ServerProcess;
  let other: ServerProcess;
  let alice: TestPerson;
  let bob: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  const settings = (i: number) => ({
    DATA_DIR: folders[i]?.path ?? "",
    DATABASE_URL: place.settings.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    ...media.settings,
  });

  beforeAll(async () => {
    place = await makeHouse("PostgreSQL", {});
    folders.push(temporaryFolder(), temporaryFolder());
    // Started at once: one of them creates the tables.
    [one, other] = (await Promise.all([0, 1].map((i) => startServer({ settings: settings(i) })))) as [
      ServerProcess,
      ServerProcess,
    ];
    media.webhookUrl = `${one.url}/api/v1/voice/webhook`;
  });
  afterAll(async () => {
    for (const server of [one, other]) await server?.stop();
    media.stop();
    for (const folder of folders) folder.remove();
    await place?.end();
  });

  // Alice always calls the first process, and Bob the second.
  beforeEach(async () => {
    alice = await TestPerson.register(one, "alice");
    home = await alice.makeServer();
    bob = await TestPerson.register(one, "bob");
    await alice.bringIn(home.id, bob);
    bob = at(other.url, bob);
  });

  test("messages go to and fro, each once and in order, and both are ready", async () => {
    const ears = [await alice.listen(), await bob.listen()];
    for (let i = 0; i < 10; i++) {
      await alice.say(home.general.id, `there ${i}`);
      await bob.say(home.general.id, `back ${i}`);
    }
    for (const ear of ears) {
      const heard = () => ear.frames.filter(({ type }) => type === "MESSAGE_CREATE").map(({ seq }) => seq);
      await until(() => heard().length >= 20, "some are missing");
      expect(heard()).toEqual([...new Set(heard())].toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    }
    for (const { url } of [one, other]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test("a new name, and who comes into a voice room and goes, is heard on the other, once", async () => {
    const asked = { server_id: home.id, name: "parlour", type: "voice" };
    const room = (await alice.post<{ id: string }>("/channels", asked)).body.id;
    const ear = await bob.listen();
    await alice.patch("/auth/me", { status_text: "back soon" });
    expect((await ear.next("USER_UPDATE")).data).toMatchObject({ status_text: "back soon" });
    await enter(media, alice, room);
    const there = { channel_id: room, user_id: alice.id };
    expect((await ear.next("VOICE_JOIN")).data).toEqual(there as never);
    await media.leave(room, alice.id);
    expect((await ear.next("VOICE_LEAVE")).data).toEqual(there as never);
    // All later events have arrived, so none is repeated.
    await alice.say(home.general.id, "the end");
    await ear.next("MESSAGE_CREATE");
    for (const type of ["USER_UPDATE", "VOICE_JOIN", "VOICE_LEAVE"]) expect(ear.heard(type)).toHaveLength(1);
  });

  test("markers of a person who reads on both are the same on both", async () => {
    const [here, there] = [at(one.url, bob), at(other.url, bob)];
    const said = [];
    for (let i = 0; i < 4; i++) said.push(await alice.say(home.general.id, `message ${i}`));
    const path = `/channels/${home.general.id}/read`;
    const markAll = (ids: readonly string[]) =>
      Promise.all(ids.map((message_id, i) => [here, there][i]!.put(path, { message_id })));
    const seen = async () =>
      (await Promise.all([here, there].map((person) => readState(person, home.general.id)))).map(
        (state) => state?.last_read_id,
      );
    for (const ids of [said.slice(0, 2), said.slice(2)].map((some) => some.map(({ id }) => id))) {
      await markAll(ids);
      // Waits far less than a process caches its own markers for.
      await promptly(async () => {
        const now = new Set(await seen());
        return now.size === 1 && now.isSubsetOf(new Set(ids));
      });
    }
  });

  test("what is taken from somebody on one is gone on the other", async () => {
    const path = `/channels/${home.general.id}/messages`;
    const ear = await bob.listen();
    expect((await bob.post(path, { content: "still" })).status).toBe(201);
    const rest = home.everyone.permissions & ~permission.SEND_MESSAGES;
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: rest });
    await until(async () => (await bob.post(path, { content: "more" })).status === 403, "it still holds");
    expect((await at(one.url, bob).post("/auth/logout")).status).toBe(204);
    expect((await ear.closed).code).toBe(4010);
    expect((await bob.get("/auth/me")).status).toBe(401);
  });

  test("one that stood still while the other kicked somebody refuses them, and what was said is heard", async () => {
    const path = `/channels/${home.general.id}/messages`;
    const carol = at(other.url, await TestPerson.register(one, "carol"));
    await alice.bringIn(home.id, carol);
    const ear = await carol.listen();
    expect((await bob.post(path, { content: "before" })).status).toBe(201);
    await ear.next("MESSAGE_CREATE");
    standStill(other.pid);
    try {
      expect((await alice.delete(`/servers/${home.id}/members/${bob.id}`)).status).toBe(204);
      await alice.say(home.general.id, "meanwhile");
    } finally {
      process.kill(other.pid, "SIGCONT");
    }
    expect((await bob.post(path, { content: "after" })).status).toBeOneOf([403, 404]);
    expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "meanwhile" });
  });

  test("a folder is one process's alone, and a second one in it touches nothing of the first", async () => {
    const draft = `${folders[0]!.path}/uploads/tmp/under-way`;
    await Bun.write(draft, "half of it");
    expectOneSentence(await startRefused(settings(0)), /Another Hearth is running with the data folder/);
    expect(await Bun.file(draft).exists()).toBe(true);
    expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
  });

  test("a killed one starts again at once, after a restart of all connections, too", async () => {
    const database = new pg.Client({ connectionString: place.settings.DATABASE_URL });
    await database.connect();
    await other.kill();
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await database.end();
    const back = await startServer({ settings: settings(1) });
    other = back;
    const ear = await at(other.url, bob).listen();
    await until(async () => (await alice.get("/servers")).status === 200, "the other does not go on");
    await alice.say(home.general.id, "welcome back");
    expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "welcome back" });
    expect(one.endedBy()).toBeUndefined();
  });
});
