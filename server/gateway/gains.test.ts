// Somebody who comes into a server and has many sockets open: each gets it once, and it is loaded once for all of them.
import { expect, spyOn, test } from "bun:test";
import { onEachEngine } from "../../tests/house/engines.ts";

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

  test("whoever is put out and comes back at once, again and again, ends inside with every socket", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    const ears = await Promise.all(Array.from({ length: 10 }, () => bob.listen()));
    for (let round = 0; round < 5; round++) {
      await alice.bringIn(home.id, bob);
      if (round < 4) await alice.delete(`/servers/${home.id}/members/${bob.id}`);
    }
    for (const ear of ears) await ear.settle();
    await alice.say(home.general.id, "Still here?");
    for (const ear of ears) {
      expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "Still here?" } as never);
      ear.close();
    }
  });
});
