// Presence among very many people: who is here in a server is shown by server, however many are here in others.
import { expect, test } from "bun:test";
import { onEachEngine, type TestHouse } from "../../tests/house/engines.ts";
import { fillServers } from "../../tests/house/many-servers.ts";
import { until } from "../../tests/house/waiting.ts";
import { setHere } from "../accounts/access.ts";
import { noteHere } from "./here.ts";

/** So many who are here, and in none of our servers. */
function strangersHere(house: TestHouse, count: number): void {
  const running = house.running.house;
  const elsewhere = crypto.randomUUID();
  for (let i = 0; i < count; i++) {
    const id = Bun.randomUUIDv7();
    setHere(running, id, "online");
    noteHere(running, id, [elsewhere]);
  }
}

/** So many members of a server who are here. */
async function membersHere(house: TestHouse, serverId: string, count: number): Promise<string[]> {
  const running = house.running.house;
  const ids = Array.from({ length: count }, () => Bun.randomUUIDv7());
  const pattern = await running.database.read
    .selectFrom("users")
    .selectAll()
    .limit(1)
    .executeTakeFirstOrThrow();
  const people = ids.map((id) => ({
    ...pattern,
    id,
    username: id,
    username_key: id,
    email: null,
    email_key: null,
  }));
  const members = ids.map((user_id) => ({ server_id: serverId, user_id, joined_at: Date.now() }));
  await running.database.transaction(async (db) => {
    await running.database.insertRows(db, "users", people, false);
    await running.database.insertRows(db, "members", members, false);
  });
  for (const id of ids) {
    setHere(running, id, "online");
    noteHere(running, id, [serverId]);
  }
  return ids;
}

type Shown = { id: string; presences: { user_id: string }[] }[];

onEachEngine("presence among many", (house) => {
  test("with ten thousand strangers here, two friends see each other, in each of their servers", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    await fillServers(house().running.house, 60, [alice, bob]);
    strangersHere(house(), 10_000);
    await bob.listen();
    await until(
      async () => String((await alice.get(`/users/${bob.id}`)).body.presence) === "online",
      "Bob is not seen",
    );
    const servers = (await alice.listen()).ready.servers as unknown as Shown;
    expect(servers).toHaveLength(60);
    for (const { presences } of servers) {
      expect(presences.map(({ user_id }) => user_id)).toContain(bob.id);
      expect(presences.length).toBeLessThanOrEqual(2);
    }
  });

  test("of a server with more than a thousand members here a thousand are shown, each a member", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const ids = new Set(await membersHere(house(), home.id, 1300));
    const [server] = (await alice.listen()).ready.servers as unknown as Shown;
    const shown = server?.presences.map(({ user_id }) => user_id).filter((id) => id !== alice.id) ?? [];
    expect(new Set(shown).size).toBeGreaterThanOrEqual(999);
    expect(server?.presences.length).toBe(1000);
    expect(shown.every((id) => ids.has(id))).toBe(true);
  });

  test("who comes into a server while they are here is shown to the next; who left it is not", async () => {
    const [alice, bob, carol] = [
      await house().person("alice"),
      await house().person("bob"),
      await house().person("carol"),
    ];
    const home = await alice.makeServer();
    const ear = await bob.listen();
    await carol.listen();
    await alice.bringIn(home.id, bob, carol);
    await ear.next("SERVER_CREATE");
    const shownTo = async () => {
      const [server] = (await alice.listen()).ready.servers as unknown as Shown;
      return server?.presences
        .map(({ user_id }) => user_id)
        .filter((id) => id !== alice.id)
        .sort();
    };
    expect(await shownTo()).toEqual([bob.id, carol.id].sort());
    await alice.delete(`/servers/${home.id}/members/${bob.id}`);
    expect(await shownTo()).toEqual([carol.id]);
    await alice.bringIn(home.id, bob);
    expect(await shownTo()).toEqual([bob.id, carol.id].sort());
  });
});
