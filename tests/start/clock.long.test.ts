// A wrong clock, at a start or while the server runs: nothing is deleted or hidden because of it, nobody is signed out.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { readConfig } from "../../server/config/config.ts";
import { openDatabase } from "../../server/database/open.ts";
import { canSetClock, clockOff, clockToSet } from "../house/machine/clock.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { onOneProcess, type TestHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { sweep } from "../house/scenes/swept.ts";

/** The number of rows by table, in the database of a server that does not run. */
async function counted(house: TestHouse): Promise<Map<string, number>> {
  const database = await openDatabase(readConfig([], house.settings));
  try {
    const counts = new Map<string, number>();
    for (const { name } of await database.read.introspection.getTables()) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
        database.read,
      );
      counts.set(name, Number(rows[0]?.count));
    }
    return counts;
  } finally {
    await database.close();
  }
}

/** The same person at a server process that runs on the data of the test server. */
function at(server: ServerProcess, person: TestPerson): TestPerson {
  return Object.assign(Object.create(TestPerson.prototype), person, { host: server });
}

describe.skipIf(!canSetClock)("a clock (skipped where libfaketime is not installed)", () => {
  onOneProcess("that was ahead", (house) => {
    test("by a year: what is made afterwards comes after what was made then, wherever one looks", async () => {
      await house().shut();
      const ahead = await startServer({ settings: { ...house().settings, ...clockOff(400) } });
      const alice = await TestPerson.register(ahead, "alice");
      const home = await alice.makeServer();
      const first = await alice.say(home.general.id, "from the future");
      const gone = await alice.say(home.general.id, "deleted, but somebody knows its id");
      await alice.delete(`/messages/${gone.id}`);
      await ahead.stop();

      const right = await startServer({ settings: house().settings });
      const later = at(right, alice);
      const said = [];
      for (let i = 0; i < 5; i++) said.push((await later.say(home.general.id, `number ${i}`)).id);
      expect([gone.id, ...said].toSorted()).toEqual([gone.id, ...said]);

      const path = `/channels/${home.general.id}/messages?limit=50`;
      const ids = async (query: string) =>
        (await later.get<Message[]>(`${path}${query}`)).body.map(({ id }) => id);
      expect(await ids("")).toEqual([...said.toReversed(), first.id]);
      expect((await ids(`&after=${gone.id}`)).toSorted()).toEqual(said);
      expect(await ids(`&before=${said[0]}`)).toEqual([first.id]);
      const [channel] = (await later.get<Channel[]>(`/channels?server_id=${home.id}`)).body;
      expect(channel?.last_message_id).toBe(said.at(-1) ?? "");
      await right.stop();
    });
  });

  onOneProcess("that is weeks ahead for some seconds", (house) => {
    test("deletes nothing: everybody is still signed in afterwards, and every table has its rows", async () => {
      const alice = await house().person("alice");
      const home = await alice.makeServer();
      await alice.say(home.general.id, "said once", { nonce: "once" });
      const doomed = await alice.makeServer("Doomed");
      await alice.delete(`/servers/${doomed.id}`);
      const { database } = house().running.house;
      await database.transaction(async (db) => {
        const [session] = await db.selectFrom("sessions").select(["id", "user_id"]).execute();
        const now = Date.now();
        const browser = { endpoint: "https://push.example/1", p256dh: "", auth: "", created_at: now };
        const whose = { user_id: session?.user_id ?? "", session_id: session?.id ?? "" };
        await db
          .insertInto("push_subscriptions")
          .values({ id: Bun.randomUUIDv7(), ...whose, ...browser })
          .execute();
        const link = { token_hash: "x", replaces: "y", created_at: now, spent_at: null };
        await db
          .insertInto("password_resets")
          .values({ user_id: whose.user_id, ...link })
          .execute();
        await db.insertInto("voice_webhooks").values({ id: "EV_1", received_at: now }).execute();
      });
      const file = join(house().settings.DATA_DIR ?? "", "uploads", `${"a".repeat(32)}.txt`);
      writeFileSync(file, "its row is lost");
      await sweep(house());
      await house().shut();
      const before = await counted(house());

      const LIVEKIT = { LIVEKIT_URL: "ws://127.0.0.1:1", LIVEKIT_API_KEY: "k", LIVEKIT_API_SECRET: "s" };
      const settings = { ...house().settings, ...LIVEKIT, LOG_LEVEL: "warn" };
      const ahead = await startServer({ settings: { ...settings, ...clockOff(40) } });
      expect((await at(ahead, alice).get("/auth/me")).status).toBe(401);
      // Recurring jobs begin a second after the start; the other jobs get some time as well.
      await until(() => ahead.stderr().includes("nothing is deleted"), "it does not doubt its clock");
      await Bun.sleep(3000);
      await ahead.stop();
      const doubt = ahead
        .stderr()
        .split("\n")
        .find((line) => line.includes("nothing is deleted"));
      const { level, clock, expected } = JSON.parse(doubt ?? "{}");
      expect(level).toBe("warn");
      expect((Date.parse(clock) - Date.parse(expected)) / (24 * 3600_000)).toBeCloseTo(40, 1);

      const after = await counted(house());
      for (const [table, count] of before)
        expect([table, (after.get(table) ?? 0) >= count]).toEqual([table, true]);
      expect(await Bun.file(file).exists()).toBe(true);
      const right = await startServer({ settings });
      expect((await at(right, alice).get("/auth/me")).status).toBe(200);
      expect(right.stderr()).not.toContain("nothing is deleted");
      await right.stop();
    });

    test("while the server runs: a post that is said again with its nonce is still one message", async () => {
      await house().shut();
      const clock = clockToSet(house().settings.DATA_DIR ?? "");
      const server = await startServer({ settings: { ...house().settings, ...clock.settings } });
      const alice = await TestPerson.register(server, "alice");
      const { general } = await alice.makeServer();
      const { id } = await alice.say(general.id, "said once", { nonce: "once" });
      clock.set(20);
      const again = await alice.post<Message>(`/channels/${general.id}/messages`, {
        content: "said once",
        nonce: "once",
      });
      expect([again.status, again.body.id]).toEqual([200, id]);
      clock.set(0);
      await server.stop();
    });
  });
});
