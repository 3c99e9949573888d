// A rolling upgrade: the last release's program beside this one on one database, until its last process is replaced.
import { describe, expect, test } from "bun:test";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { at, canCluster, makeCluster } from "../house/open/cluster.ts";
import { Ear } from "../house/people/ear.ts";
import { TestPerson } from "../house/people/people.ts";
import { hasLastRelease, unpackLastRelease } from "../house/servers/last-release.ts";

const can = canCluster && hasLastRelease;
const missing = canCluster ? "history" : "PostgreSQL or Redis";

describe.skipIf(!can)(can ? "a roll-out" : `a roll-out (skipped: no ${missing} here)`, () => {
  test("has both releases talk on the tables of the newer one, and either may start again", async () => {
    await using cluster = await makeCluster();
    using release = unpackLastRelease();
    const old = (name: string) => startServer({ settings: cluster.settings(name), command: release.command });
    const running: ServerProcess[] = [];
    const started = async (starting: Promise<ServerProcess>) => {
      const server = await starting;
      running.push(server);
      return server;
    };
    try {
      const first = await started(old("first"));
      const second = await started(old("second"));
      const alice = await TestPerson.register({ url: first.url }, "alice");
      const home = await alice.makeServer();
      const bob = await TestPerson.register({ url: second.url }, "bob");
      await alice.bringIn(home.id, bob);
      const hers = await alice.listen();

      await second.stop();
      const third = await started(startServer({ settings: cluster.settings("second") }));
      const his = await at(third.url, bob).listen();
      await talk(home, alice, at(third.url, bob), [hers, his]);

      // The last release starts again on the migrated tables of this one.
      await first.stop();
      const fourth = await started(old("first"));
      const back = await Ear.open(fourth.url, alice.token, hers.resumePoint);
      expect(back.types.at(-1)).toBe("RESUMED");
      await talk(home, at(fourth.url, alice), at(third.url, bob), [back, his]);

      await fourth.stop();
      const fifth = await started(startServer({ settings: cluster.settings("first") }));
      const again = await at(fifth.url, alice).listen();
      await talk(home, at(fifth.url, alice), at(third.url, bob), [again, his]);
    } finally {
      for (const server of running) await server.stop();
    }
  });
});

type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

/** Each says something that both hear; Bob's process learns of Alice's change to the server. */
async function talk(home: Home, alice: TestPerson, bob: TestPerson, ears: readonly Ear[]): Promise<void> {
  for (const [who, content] of [
    [alice, "to the other release"],
    [bob, "and back"],
  ] as const) {
    const said = await who.say(home.general.id, content);
    for (const ear of ears)
      for (;;) {
        const heard = await ear.next("MESSAGE_CREATE");
        if ((heard.data as { id?: string }).id === said.id) break;
      }
  }
  const name = `Home ${Math.random()}`;
  expect((await alice.patch(`/servers/${home.id}`, { name })).status).toBe(200);
  for (const ear of ears) expect((await ear.next("SERVER_UPDATE")).data).toMatchObject({ name });
  expect((await bob.get<{ name: string }>(`/servers/${home.id}`)).body.name).toBe(name);
}
