// Pushes on three processes: a subscription, setting or read on one counts on all from its commit on.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { isComplete } from "../../features/push/certain.ts";
import { PushService } from "../doubles/web-push.ts";
import { until } from "../house/machine/waiting.ts";
import { at, canCluster, type OpenCluster, openCluster } from "../house/open/cluster.ts";
import type { TestPerson } from "../house/people/people.ts";
import { allPushed, browserOf } from "../house/scenes/pushes.ts";

const title = canCluster ? "" : " (skipped: no PostgreSQL or no Redis here)";

describe.skipIf(!canCluster)(`pushes among three processes${title}`, () => {
  let cluster: OpenCluster;
  let service: PushService;
  let alice: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  const url = (i: number) => cluster.houses[i]!.url;

  beforeAll(async () => {
    cluster = await openCluster(3);
    service = await PushService.open();
    for (const house of cluster.houses) service.serve(house);
  });
  afterAll(async () => {
    await service?.close();
    await cluster?.[Symbol.asyncDispose]();
  });

  // Alice is on the second process, the others on the first.
  beforeEach(async () => {
    alice = await cluster.houses[0]!.person("alice");
    home = await alice.makeServer();
  });

  async function guest(): Promise<TestPerson> {
    const person = await cluster.houses[0]!.person("guest");
    await alice.bringIn(home.id, person);
    return person;
  }

  const texts = (browser: Parameters<PushService["notices"]>[0]) =>
    service.notices(browser).map(({ body }) => body);

  function together() {
    test("who subscribes on one gets the mention that is posted on another at the same moment", async () => {
      const guests = await Promise.all([guest(), guest(), guest(), guest()]);
      for (const person of guests) {
        const browser = await browserOf(person, service);
        await at(url(1), alice).say(home.general.id, `<@${person.id}>!`);
        await allPushed(cluster.houses[0]!);
        expect(texts(browser)).toEqual(["@guest!"]);
      }
    });

    test("who wants every message of a channel or server gets the next one that is posted on another", async () => {
      const guests = await Promise.all([guest(), guest(), guest(), guest()]);
      for (const [i, person] of guests.entries()) {
        const browser = await browserOf(person, service);
        const path = i % 2 === 0 ? `/servers/${home.id}` : `/channels/${home.general.id}`;
        const set = await person.put(`${path}/notification-settings`, { level: "all", muted_until: null });
        expect(set.status).toBeLessThan(300);
        await at(url(1), alice).say(home.general.id, `to all ${i}`);
        await allPushed(cluster.houses[0]!);
        expect(texts(browser)).toEqual([`to all ${i}`]);
      }
    });
  }

  describe("through Redis", together);

  describe("while Redis stands still", () => {
    beforeAll(() => cluster.redis.freeze());
    afterAll(() => cluster.redis.thaw());
    together();

    test("the reader of a socket elsewhere is not disturbed", async () => {
      const person = await guest();
      const browser = await browserOf(person, service);
      const ear = await at(url(2), person).listen();
      ear.say("TYPING_START", { channel_id: home.general.id });
      await until(async () => {
        const { activity } = cluster.houses[0]!.running.house;
        return (await activity.activeAmong([person.id])).size === 1;
      }, "nobody is active");
      await at(url(1), alice).say(home.general.id, `<@${person.id}>, are you there?`);
      await allPushed(cluster.houses[0]!);
      expect(texts(browser)).toEqual([]);
      ear.close();
    });
  });

  test("what is certain queues nothing, and a process that has missed news finds it by itself", async () => {
    const person = await guest();
    const { house } = cluster.houses[1]!.running;
    const { database } = house;
    // Changes by earlier tests may still be on their way.
    await until(() => isComplete(house, database.read), "it is in doubt");
    const queued = () => database.read.selectFrom("push_messages").select("message_id").execute();
    await at(url(1), alice).say(home.general.id, "nothing for anybody");
    expect(await queued()).toEqual([]);
    // A change that no process is notified of.
    await database.read
      .updateTable("push_version")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .execute();
    const browser = await browserOf(person, service);
    await at(url(1), alice).say(home.general.id, `<@${person.id}>`);
    await allPushed(cluster.houses[0]!);
    expect(texts(browser)).toEqual(["@guest"]);
    await at(url(1), alice).say(home.general.id, "nothing for anybody");
    await until(async () => (await queued()).length === 0, "it is in doubt for ever");
  });
});
