// Another program that writes into the database file for a while: writers wait for it, and only they.
import { expect, test } from "bun:test";
import type { Message } from "../../features/messages/contract.ts";
import { makeHouse } from "../../tests/house/engines.ts";
import { heldDatabase } from "../../tests/house/held.ts";

test("while somebody holds the database, reading goes on, and what waits is written afterwards", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const alice = await house.person("alice");
  const { general } = await alice.makeServer();
  const held = heldDatabase(house.running.house.config.dataDir);
  let answered = false;
  const saying = alice.say(general.id, "after you").finally(() => {
    answered = true;
  });
  for (let time = 0; time < 5; time++) {
    expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
    expect((await alice.get<Message[]>(`/channels/${general.id}/messages`)).body).toEqual([]);
  }
  expect(answered).toBe(false);
  held.run("rollback");
  held.close();
  expect((await saying).content).toBe("after you");
  await house.end();
});
