// Presence among very many people: connected people are found by server, however many are connected in others.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import { comeIn, crowd } from "../../tests/house/scenes/crowd.ts";
import { setSeen } from "../accounts/access.ts";
import { noteConnected } from "./connected.ts";

/** Set in all processes, as any of them may be asked. */
function connect({ all }: TestHouse, userId: string, serverId: string): void {
  for (const { house } of all) {
    setSeen(house, userId, "online");
    noteConnected(house, userId, [serverId]);
  }
}

type Shown = { id: string; presences: { user_id: string }[] }[];

onEachEngine("presence among many", (house) => {
  test("with ten thousand strangers connected, two friends see each other, in each of their servers", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    await fillServers(house().running.house, 60, [alice, bob]);
    const elsewhere = crypto.randomUUID();
    for (let i = 0; i < 10_000; i++) connect(house(), Bun.randomUUIDv7(), elsewhere);
    await bob.listen();
    // Each process learns of him on its own.
    await until(async () => {
      const ear = await alice.listen();
      ear.close();
      const servers = ear.ready.servers as unknown as Shown;
      expect(servers).toHaveLength(60);
      for (const { presences } of servers) expect(presences.length).toBeLessThanOrEqual(2);
      return servers.every(({ presences }) => presences.some(({ user_id }) => user_id === bob.id));
    }, "Bob is not seen");
  });

  test("of a server with more than a thousand connected members a thousand are shown, each a member", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const ids = new Set(await crowd(house(), alice, 1300));
    await comeIn(house(), home.id, [...ids]);
    for (const id of ids) connect(house(), id, home.id);
    const [server] = (await alice.listen()).ready.servers as unknown as Shown;
    const shown = server?.presences.map(({ user_id }) => user_id).filter((id) => id !== alice.id) ?? [];
    expect(new Set(shown).size).toBeGreaterThanOrEqual(999);
    expect(server?.presences.length).toBe(1000);
    expect(shown.every((id) => ids.has(id))).toBe(true);
  });

  test("who comes into a server while they are connected is shown to the next; who left it is not", async () => {
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
    // Each process learns on its own who is connected.
    const shows = (...people: { id: string }[]) =>
      until(async () => {
        const hers = await alice.listen();
        hers.close();
        const [server] = hers.ready.servers as unknown as Shown;
        const shown = new Set(server?.presences.map(({ user_id }) => user_id));
        shown.delete(alice.id);
        return shown.size === people.length && people.every(({ id }) => shown.has(id));
      }, "others are shown");
    await shows(bob, carol);
    await alice.delete(`/servers/${home.id}/members/${bob.id}`);
    await shows(carol);
    await alice.bringIn(home.id, bob);
    await shows(bob, carol);
  });
});
