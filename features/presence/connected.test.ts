// Nothing is kept about deleted servers and disconnected people.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { goneAfter } from "../../tests/house/scenes/gone.ts";
import { connectedKept } from "./connected.ts";

onEachEngine("who is connected, by server", (house) => {
  test("names no server that was deleted or left, and nobody who has gone", async () => {
    const kept = () => house().all.reduce((sum, { house }) => sum + connectedKept(house), 0);
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const [hers, home] = [await alice.makeServer(), await bob.makeServer()];
    await bob.bringIn(home.id, alice);
    const ears = [await alice.listen(), await bob.listen()];
    await alice.bringIn(hers.id, bob);
    // He is never told of a server that is deleted before its event reaches him.
    await ears[1]?.next("SERVER_CREATE");
    await until(() => kept() >= 4 * house().all.length, "who is connected is not known");
    await alice.delete(`/servers/${home.id}/members/@me`);
    await alice.delete(`/servers/${hers.id}`);
    await Promise.all(ears.map((ear) => ear.next("SERVER_DELETE")));
    goneAfter(house(), 100);
    for (const ear of ears) ear.close();
    await until(() => kept() === 0, "somebody is still named");
    expect(kept()).toBe(0);
  });
});
