// Very many readers stop at once: their total backlog is bounded, and sockets with the largest one are closed first.
import { expect, test } from "bun:test";
import { makeHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { RawSocket } from "./raw-socket.ts";

test("readers who stop are closed before more than BACKLOG_MIB waits; one who reads stays and hears all", async () => {
  const house = await makeHouse("SQLite", { BACKLOG_MIB: "4" });
  await house.open();
  try {
    const [alice, bob, carol] = [
      await house.person("alice"),
      await house.person("bob"),
      await house.person("carol"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob, carol);
    const listener = await carol.listen();
    const stopped = await Promise.all(Array.from({ length: 12 }, () => stoppedReader(house.url, bob)));
    const { metrics } = house.running.house;
    const before = metrics.sockets;
    const text = "🦊".repeat(3900);
    let said = 0;
    // Socket buffers of the system take some megabytes of each before the process queues anything; then 4 MiB are a
    // third of a MiB for each of the twelve, where a single one might keep a whole one.
    for (; metrics.sockets === before && said < 3000; said += 10) {
      await Promise.all(Array.from({ length: 10 }, () => alice.say(home.general.id, text)));
    }
    expect(metrics.sockets).toBeLessThan(before);
    // Some stay: their backlog is within the limit.
    expect(metrics.sockets).toBeGreaterThan(1);
    await listener.untilAll(() => listener.heard("MESSAGE_CREATE").length === said);
    for (const raw of stopped) raw.end();
  } finally {
    await house.end();
  }
});

async function stoppedReader(url: string, person: TestPerson): Promise<RawSocket> {
  const raw = await RawSocket.open(url);
  raw.say("AUTH", { token: person.token });
  await raw.until((texts) => texts.length > 0);
  raw.wire.pause();
  return raw;
}
