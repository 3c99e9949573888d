// A new member with many open sockets: each gets the server once, and it is loaded once for all of them.
import { expect, spyOn, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";

onEachEngine("coming into a server", (house) => {
  test("thirty sockets get it from one look at it, and hear on from there", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    const ears = await Promise.all(Array.from({ length: 30 }, () => bob.listen()));
    const looks = spyOn(house().running.house.database, "snapshot");
    try {
      await alice.bringIn(home.id, bob);
      for (const ear of ears) await ear.next("SERVER_CREATE");
      expect(looks).toHaveBeenCalledTimes(1);
    } finally {
      looks.mockRestore();
    }
    await alice.say(home.general.id, "Welcome!");
    for (const ear of ears) {
      expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "Welcome!" } as never);
      expect(ear.heard("SERVER_CREATE")).toHaveLength(1);
      ear.close();
    }
  });

  test("forty sockets that are just signing in know it from their state, or get it right after", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    await fillServers(house().running.house, 90, [alice, bob]);
    const home = await alice.makeServer();
    const first = await bob.listen();
    const coming = Array.from({ length: 40 }, () => bob.listen());
    // Some sockets have their state by now, the others are waiting for it.
    await Promise.any(coming);
    await alice.bringIn(home.id, bob);
    await allHear(alice, home.general.id, [first, ...(await Promise.all(coming))]);
  });

  test("whoever is put out and comes back at once, again and again, ends inside with every socket", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    const ears = await Promise.all(Array.from({ length: 10 }, () => bob.listen()));
    for (let round = 0; round < 5; round++) {
      await alice.bringIn(home.id, bob);
      if (round < 4) await alice.delete(`/servers/${home.id}/members/${bob.id}`);
    }
    await allHear(alice, home.general.id, ears);
  });
});

/** Posts until all ears hear it live: messages from before they are let in are only in the channel's history. */
async function allHear(speaker: TestPerson, channelId: string, ears: readonly Ear[]): Promise<void> {
  const hear = async () => {
    await speaker.say(channelId, "Does everybody hear me?");
    return ears.every((ear) => ear.heard("MESSAGE_CREATE").length > 0);
  };
  await until(hear, "somebody is still outside");
  for (const ear of ears) ear.close();
}
