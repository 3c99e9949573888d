// A READY of many megabytes over a slow connection: it arrives whole, followed by the events that happened meanwhile.
import { expect, test } from "bun:test";
import { once } from "node:events";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { HeardFrame } from "../house/people/heard.ts";
import type { TestPerson } from "../house/people/people.ts";
import { RawSocket } from "./raw-socket.ts";

test("a slow reader gets it whole, then all events; one who takes nothing, or whose rights change, is ended", async () => {
  const house = await makeHouse("SQLite", {});
  await house.open();
  try {
    const [alice, bob, carol] = [
      await house.person("alice"),
      await house.person("bob"),
      await house.person("carol"),
    ];
    const servers = await manyServers(house, alice, 24);
    for (const { id } of servers) await alice.bringIn(id, bob, carol);
    const home = servers[0] as (typeof servers)[number];

    const [slow, deaf, changed] = [await open(house, bob), await open(house, bob), await open(house, carol)];
    slow.readInBursts(1_000_000, 900);
    deaf.wire.pause();
    await once(changed.wire, "data");
    changed.wire.pause();

    let talking = true;
    const talk = async () => {
      for (let i = 0; talking; i++) {
        await alice.say(home.general.id, `message ${i}`);
        await Bun.sleep(100);
      }
    };
    const talks = talk();
    // Long before any socket is closed for not reading.
    await alice.giveRole(home.id, carol, 0);
    changed.wire.resume();
    expect(await changed.closed()).toBe(1012);

    // Arrivals are told once for each server: those frames do not count.
    await slow.until(
      (texts) => texts.filter((text) => text.startsWith('{"type":"MESSAGE_CREATE"')).length > 10,
    );
    const [ready, ...after] = slow.texts.map((text) => JSON.parse(text) as HeardFrame);
    expect(ready?.type).toBe("READY");
    expect(slow.texts[0]?.length).toBeGreaterThan(5_000_000);
    const entries = ready?.data.servers as unknown as { id: string; seq: number }[];
    const begins = entries.find(({ id }) => id === home.id)?.seq ?? 0;
    const seqs = after.flatMap(({ server_id, seq }) =>
      server_id === home.id && seq !== undefined ? [seq] : [],
    );
    expect(seqs).toEqual(seqs.map((_, i) => begins + 1 + i));
    expect(seqs.length).toBeGreaterThan(10);

    const { metrics } = house.running.house;
    await until(() => metrics.sockets <= 1, "the one who takes nothing still has a socket");
    // The slow reader is not closed: it goes on receiving.
    const heard = slow.texts.length;
    await slow.until((texts) => texts.length > heard);
    talking = false;
    await talks;
    slow.end();
    deaf.end();
  } finally {
    await house.end();
  }
});

async function open(house: TestHouse, person: TestPerson): Promise<RawSocket> {
  const raw = await RawSocket.open(house.url);
  raw.say("AUTH", { token: person.token });
  return raw;
}

/** Servers with the maximum of channels, with long names: half a megabyte each. */
async function manyServers(house: TestHouse, owner: TestPerson, count: number) {
  const { database } = house.running.house;
  const servers = [];
  for (let i = 0; i < count; i++) {
    const server = await owner.makeServer();
    servers.push(server);
    await database.transaction(async (db) => {
      const first = await db
        .selectFrom("channels")
        .selectAll()
        .where("server_id", "=", server.id)
        .executeTakeFirstOrThrow();
      const long = "😀".repeat(100);
      const rows = Array.from({ length: 499 }, (_, position) => ({
        ...first,
        id: Bun.randomUUIDv7(),
        name: long,
        category: long,
        position,
      }));
      await database.insertRows(db, "channels", rows, false);
    });
  }
  return servers;
}
