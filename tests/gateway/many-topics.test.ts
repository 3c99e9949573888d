// A socket that follows hundreds of private channels subscribes to them in pieces: nothing is missed or told twice.
import { expect, test } from "bun:test";
import { classOf, insertChannel } from "../../features/channels/store.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";

type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

const servers = 3;
const channels = 490;

async function addPrivateChannels({ running }: TestHouse, serverId: string): Promise<void> {
  await running.house.database.transaction(async (db) => {
    for (let position = 1; position <= channels; position++) {
      const id = crypto.randomUUID();
      const row = { id, server_id: serverId, name: `room-${position}`, type: "text" as const, topic: null };
      const about = { category: null, position, created_at: 1, deleted_at: null, audience: classOf(id) };
      await insertChannel(db, { ...row, ...about });
    }
  });
}

/** Posts in each of the servers by turns, until told to stop. */
function keepPosting(person: TestPerson, homes: readonly Home[]): () => Promise<void> {
  let isOver = false;
  const posting = (async () => {
    for (let i = 0; !isOver; i++) for (const { general } of homes) await person.say(general.id, `word ${i}`);
  })();
  return () => {
    isOver = true;
    return posting;
  };
}

/** The number of the last event of the server that the socket's READY contains. */
function numberInReady(ear: Ear, serverId: string): number {
  const servers = ear.ready.servers as unknown as { id: string; seq: number }[];
  return servers.find(({ id }) => id === serverId)?.seq ?? 0;
}

/** Expects that the socket heard every event of the server after this number, each once, in order. */
function expectAllSince(ear: Ear, serverId: string, seq: number, last: number): void {
  const heard = ear.frames.flatMap((frame) => (frame.server_id === serverId && frame.seq ? [frame.seq] : []));
  expect(heard).toEqual(Array.from({ length: last - seq }, (_, i) => seq + 1 + i));
}

onEachEngine("a person in servers with hundreds of private channels", (house) => {
  test("hears each event once from READY on, and once from where a lost connection had got to", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const homes: Home[] = [];
    for (let i = 0; i < servers; i++) {
      const home = await alice.makeServer();
      await addPrivateChannels(house(), home.id);
      await alice.bringIn(home.id, bob);
      homes.push(home);
    }
    const stop = keepPosting(bob, homes);
    const first = await alice.listen();
    const point = first.resumePoint;
    const fresh = [await alice.listen(), await alice.listen()];
    const resumed = [await alice.listen(point), await alice.listen(point)];
    await stop();
    for (const ear of [first, ...fresh, ...resumed]) await ear.settle();
    for (const { id } of homes) {
      const last = first.frames.findLast(({ server_id }) => server_id === id)?.seq ?? 0;
      for (const ear of [first, ...fresh]) expectAllSince(ear, id, numberInReady(ear, id), last);
      for (const ear of resumed) expectAllSince(ear, id, point.streams[id] ?? 0, last);
    }
    for (const ear of [first, ...fresh, ...resumed]) ear.close();
  });
});
