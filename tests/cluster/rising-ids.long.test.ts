// The ids in a channel rise with the numbers of the log, whichever process posts and whatever its clock shows.
import { describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Message } from "../../features/messages/contract.ts";
import { canSetClock, clockOff } from "../house/machine/clock.ts";
import { insisted } from "../house/machine/insisted.ts";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { at, canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";

const posts = 400;
const missing = canCluster ? "libfaketime" : "PostgreSQL or Redis";

describe.skipIf(!canCluster || !canSetClock)(
  canCluster && canSetClock ? "three processes" : `three processes (skipped: no ${missing} here)`,
  () => {
    test("post into one channel at once, one a day behind and one a day ahead of the others", async () => {
      await using cluster = await makeCluster();
      const settings = (name: string) => cluster.settings(name);
      // One after the other: the first migrates the database.
      const servers = [
        await startServer({ settings: settings("on-time") }),
        await startServer({ settings: { ...settings("behind"), ...clockOff(-1) } }),
        await startServer({ settings: { ...settings("ahead"), ...clockOff(1) } }),
      ];
      try {
        const alice = await TestPerson.register({ url: servers[0]!.url }, "alice");
        const home = await alice.makeServer();
        const ear = await alice.listen();
        const path = `/channels/${home.general.id}/messages`;
        const post = async ({ url }: { url: string }, i: number) => {
          await sleep(i % 97);
          const body = { content: `${url} ${i}`, nonce: `${url} ${i}` };
          return insisted(() => at(url, alice).post<Message>(path, body));
        };
        const answers = await Promise.all(
          servers.flatMap((server) => Array.from({ length: posts }, (_, i) => post(server, i))),
        );
        expect(answers.filter(({ status }) => status > 201)).toEqual([]);

        const heard = () => ear.frames.filter(({ type }) => type === "MESSAGE_CREATE");
        await until(() => heard().length >= answers.length, "some are missing");
        const ids = heard().map(({ data }) => (data as unknown as Message).id);
        expect(ids).toEqual(ids.toSorted());
        expect(new Set(ids)).toEqual(new Set(answers.map(({ body }) => body.id)));
      } finally {
        for (const server of servers) await server.stop();
      }
    });
  },
);

describe.skipIf(!canCluster)("two processes (skipped where there is no PostgreSQL or Redis)", () => {
  test("post into the same ten servers at once, and hardly a commit is undone", async () => {
    await using cluster = await makeCluster();
    const settings = [cluster.settings("one"), cluster.settings("other")] as const;
    const servers = [
      await startServer({ settings: settings[0] }),
      await startServer({ settings: settings[1] }),
    ];
    let undone: number;
    try {
      const alice = await TestPerson.register({ url: servers[0]!.url }, "alice");
      const homes: Awaited<ReturnType<TestPerson["makeServer"]>>[] = [];
      for (let i = 0; i < 10; i++) homes.push(await alice.makeServer(`Home ${i}`));
      const talk = async (url: string, begin: number) => {
        for (let i = begin; i < begin + 20; i++) {
          const path = `/channels/${homes[i % homes.length]!.general.id}/messages`;
          expect((await insisted(() => at(url, alice).post(path, { content: `word ${i}` }))).status).toBe(
            201,
          );
        }
      };
      await Promise.all(
        servers.flatMap(({ url }) => Array.from({ length: 16 }, (_, begin) => talk(url, begin))),
      );
    } finally {
      // PostgreSQL adds up a connection's transactions when it ends.
      for (const server of servers) await server.stop();
      undone = await rollbacksIn(settings[0].DATABASE_URL ?? "");
    }
    // A process falls behind at most once in some of its streams, one after the other; after that it keeps up.
    expect(undone).toBeLessThan(40);
  });
});

async function rollbacksIn(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ undone: number }>(
    "select xact_rollback::int as undone from pg_stat_database where datname = current_database()",
  );
  await client.end();
  return rows[0]?.undone ?? 0;
}
