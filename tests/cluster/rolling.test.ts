// Processes come and go one by one: the tables are created once, and connected people resume at another process.
import { describe, expect, test } from "bun:test";
import type { Message } from "../../features/messages/contract.ts";
import { startServer } from "../house/machine/process.ts";
import { at, canCluster, makeCluster } from "../house/open/cluster.ts";
import { Ear } from "../house/people/ear.ts";
import { TestPerson } from "../house/people/people.ts";

const title = canCluster ? "processes" : "processes (skipped: no PostgreSQL or no Redis here)";

describe.skipIf(!canCluster)(title, () => {
  test("that start at once on an empty database make its tables once, and are one Hearth", async () => {
    await using cluster = await makeCluster();
    const servers = await Promise.all(
      ["one", "two", "three"].map((name) => startServer({ settings: cluster.settings(name) })),
    );
    try {
      const alice = await TestPerson.register({ url: servers[0]!.url }, "alice");
      const home = await alice.makeServer();
      const ears = await Promise.all(servers.map(({ url }) => at(url, alice).listen()));
      expect(new Set(ears.map((ear) => ear.resumePoint.epoch)).size).toBe(1);
      for (const { url } of servers) await at(url, alice).say(home.general.id, url);
      for (const ear of ears)
        for (const { url } of servers)
          expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: url });
    } finally {
      for (const server of servers) await server.stop();
    }
  });

  test("of which one leaves: its sockets are told 1012, and resume at another with what was said meanwhile", async () => {
    await using cluster = await makeCluster();
    const [leaving, staying] = [
      await startServer({ settings: cluster.settings("leaving") }),
      await startServer({ settings: cluster.settings("staying") }),
    ];
    try {
      const alice = await TestPerson.register({ url: leaving.url }, "alice");
      const home = await alice.makeServer();
      const ear = await alice.listen();
      await alice.say(home.general.id, "before");
      await ear.next("MESSAGE_CREATE");
      const left = leaving.stop();
      expect((await ear.closed).code).toBe(1012);
      const there = at(staying.url, alice);
      const said = await there.post<Message>(`/channels/${home.general.id}/messages`, {
        content: "meanwhile",
      });
      const resumed = await Ear.open(staying.url, alice.token, ear.resumePoint);
      expect(resumed.types).toEqual(["MESSAGE_CREATE", "RESUMED"]);
      expect(resumed.frames[0]!.data).toMatchObject({ id: said.body.id });
      await left;
      await there.say(home.general.id, "after");
      expect((await resumed.next("MESSAGE_CREATE")).data).toMatchObject({ content: "after" });
    } finally {
      await leaving.stop();
      await staying.stop();
    }
  });
});
