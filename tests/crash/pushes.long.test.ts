// Pushes and `kill -9`: a mention in an acknowledged message is pushed, whenever the server was killed in between.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Message } from "../../features/messages/contract.ts";
import { readConfig } from "../../server/config/config.ts";
import { openDatabase } from "../../server/database/open.ts";
import { type Browser, PushService } from "../doubles/web-push.ts";
import { freePort } from "../house/machine/port.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { browserOf } from "../house/scenes/pushes.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
/** Milliseconds from the answers to the kill: before the queue is read, during the fan-out, during delivery. */
const livesMs = [0, 120, 250, 400, 550, 700];
const saidAtOnce = 12;

for (const engine of engines) {
  describe(`pushes and sudden ends on ${engine}`, () => {
    let house: TestHouse;
    let service: PushService;
    let server: ServerProcess;
    let settings: Record<string, string>;
    // The real server, with a fake network in place of the internet.
    const start = () => startServer({ settings, command: [process.execPath, "bench/hearth-and-push.ts"] });

    beforeAll(async () => {
      house = await makeHouse(engine, {}, undefined, true);
      service = await PushService.open();
      settings = {
        ...house.settings,
        PORT: String(await freePort()),
        PUSH_PORT: String(service.port),
      };
      server = await start();
    });
    afterAll(async () => {
      await server?.kill();
      service?.close();
      await house?.end();
    });

    const pushed = (browser: Browser) => service.notices(browser).map((notice) => String(notice.message_id));

    async function neighbours() {
      const [alice, bob, carol] = [
        await TestPerson.register(server, "alice"),
        await TestPerson.register(server, "bob"),
        await TestPerson.register(server, "carol"),
      ];
      const home = await alice.makeServer();
      await alice.bringIn(home.id, bob, carol);
      const [his, hers] = [await browserOf(bob, service), await browserOf(carol, service)];
      return { alice, bob, carol, general: home.general.id, his, hers };
    }

    /** Expires the leases of 30 s, after which deliveries interrupted by a kill are tried again. */
    async function letTimePass(): Promise<void> {
      const database = await openDatabase(readConfig([], house.settings));
      await database.transaction((db) => db.updateTable("push_deliveries").set({ due_at: 0 }).execute());
      await database.close();
    }

    test("every acknowledged mention is pushed at least once, and none of a message that is not there", async () => {
      const { alice, bob, carol, general, his, hers } = await neighbours();
      const acknowledged: string[] = [];
      let owed = 0;
      for (const lifeMs of livesMs) {
        const said = Array.from({ length: saidAtOnce }, async (_, i) => {
          await Bun.sleep(i * 3);
          const { id } = await alice.say(general, `<@${bob.id}> ${lifeMs} ${i}`);
          acknowledged.push(id);
        });
        // Posts that a kill interrupts may be stored or not: neither was acknowledged.
        const ended = Promise.allSettled(said);
        // Without any time, only half of the answers are awaited.
        await (lifeMs === 0 ? said[saidAtOnce / 2] : ended);
        await Bun.sleep(lifeMs);
        await server.kill();
        await ended;
        owed += acknowledged.filter((id) => !pushed(his).includes(id)).length;
        server = await start();
      }
      // The service has Carol's push, but did not answer before the kill: the server cannot know that it was delivered.
      service.behave(hers, "silence");
      const { id: unsure } = await alice.say(general, `<@${carol.id}> did you get this?`);
      await until(() => pushed(hers).length > 0, "it is not sent");
      await server.kill();
      // One, unless the machine stood still for longer than the server's timeout.
      const before = pushed(hers).length;
      await letTimePass();
      server = await start();
      // Proves that kills left pushes undelivered.
      expect(owed).toBeGreaterThan(saidAtOnce);
      const missing = () => acknowledged.filter((id) => !pushed(his).includes(id));
      await until(() => missing().length === 0 && pushed(hers).length > before, "some are not sent again");
      expect(missing()).toEqual([]);
      expect(pushed(hers)).toEqual(Array(before + 1).fill(unsure));
      const { body } = await alice.get<Message[]>(`/channels/${general}/messages?limit=100`);
      const known = new Set(body.map((message) => message.id));
      expect(pushed(his).filter((id) => !known.has(id))).toEqual([]);
    }, 400_000);
  });
}
