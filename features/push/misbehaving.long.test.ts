// Pushes to malicious hosts: each attempt ends and counts, even across a crash, and others get theirs meanwhile.
import { expect, setSystemTime, test } from "bun:test";
import { hostOf, MisbehavingHosts } from "../../tests/doubles/misbehaving-hosts.ts";
import { misdeeds } from "../../tests/doubles/misdeeds.ts";
import { Browser } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";

const patienceMs = 1000;
const silent = misdeeds.filter(({ what }) => what.startsWith("silence") || what.startsWith("an upgrade"));

async function subscribe(person: TestPerson, host: string): Promise<void> {
  const endpoint = `https://${host}/${person.id}/${crypto.randomUUID()}`;
  const { status } = await person.post("/push/subscribe", new Browser(endpoint).subscription);
  expect(status).toBe(204);
}

/** A server with `count` members, and a bystander whose push service responds. */
async function village(house: TestHouse, hosts: MisbehavingHosts, count: number) {
  const alice = await house.person("alice");
  const home = await alice.makeServer();
  const people = await Promise.all(Array.from({ length: count }, (_, i) => house.person(`member${i}`)));
  const bystander = await house.person("bystander");
  for (const each of [...people, bystander]) await alice.bringIn(home.id, each);
  await subscribe(bystander, hosts.goodHost);
  const mention = (...whom: TestPerson[]) =>
    alice.say(home.general.id, whom.map(({ id }) => `<@${id}>`).join(" "));
  return { people, bystander, mention };
}

async function deliveries(house: TestHouse) {
  const { read } = house.running.house.database;
  return read.selectFrom("push_deliveries").selectAll().execute();
}

async function withHosts(work: (hosts: MisbehavingHosts) => Promise<void>): Promise<void> {
  const hosts = await MisbehavingHosts.open();
  try {
    await work(hosts);
  } finally {
    setSystemTime();
    hosts.close();
  }
}

onOneProcess("pushes to hosts that mean ill", (house) => {
  test(`${misdeeds.length} misdeeds at once: each try ends, and a mention of somebody else is pushed`, () =>
    withHosts(async (hosts) => {
      hosts.serve(house(), patienceMs);
      const { people, bystander, mention } = await village(house(), hosts, Math.ceil(misdeeds.length / 4));
      for (const [i, misdeed] of misdeeds.entries())
        await subscribe(people[Math.floor(i / 4)] as TestPerson, hostOf(misdeed));
      await mention(...people);
      await until(() => hosts.open > 0, "nothing is under way");
      await mention(bystander);
      await until(() => hosts.goodRequests >= 1, "the bystander was held up");
      // Each push that its service did not accept waits for a retry, or has begun one on a busy machine.
      await until(
        async () => (await deliveries(house())).every(({ tries }) => tries >= 1),
        "some are not tried",
      );
      await until(() => hosts.open === 0, "a try did not end");
      const { database } = house().running.house;
      await database.transaction((db) => db.deleteFrom("push_subscriptions").execute());
    }));

  test("after a restart in the middle of tries the queue goes on with others, and five tries end it all the same", () =>
    withHosts(async (hosts) => {
      hosts.serve(house());
      const { people, bystander, mention } = await village(house(), hosts, 5);
      for (const [i, person] of people.entries())
        for (let j = 0; j < 4; j++)
          await subscribe(person, hostOf(silent[(4 * i + j) % silent.length] as (typeof silent)[0]));
      await mention(...people);
      for (let restart = 1; restart <= 5; restart++) {
        await until(
          async () => (await deliveries(house())).some(({ tries }) => tries === restart),
          "nothing was tried, or not written down before",
        );
        const ended = Date.now();
        await house().restart();
        hosts.serve(house());
        const heard = hosts.goodRequests;
        await mention(bystander);
        await until(() => hosts.goodRequests > heard, "the dead ones come first");
        // The delay after a failed attempt survives a restart.
        const dead = (await deliveries(house())).filter(({ tries }) => tries === restart);
        expect(dead.every(({ due_at }) => due_at > ended + 5000)).toBe(true);
        setSystemTime(Date.now() + 3600_000);
      }
      await until(async () => (await deliveries(house())).length === 0, "they are tried for ever");
    }));

  test("long queues of people with dead browsers keep nobody waiting whose browser lives", () =>
    withHosts(async (hosts) => {
      hosts.serve(house(), patienceMs);
      const { people, bystander, mention } = await village(house(), hosts, 6);
      for (const person of people)
        for (let j = 0; j < 10; j++)
          await subscribe(person, hostOf(silent[j % silent.length] as (typeof silent)[0]));
      for (let i = 0; i < 10; i++) await mention(...people);
      await until(async () => (await deliveries(house())).length >= 400, "nothing is queued");
      for (let i = 1; i <= 5; i++) {
        await mention(bystander);
        await until(() => hosts.goodRequests >= i, "the bystander was held up", 20 * patienceMs);
      }
      // A failed attempt postpones everything queued for the same browser.
      await until(
        async () => Math.max(...(await deliveries(house())).map(({ tries }) => tries)) >= 1,
        "no try was counted",
      );
      const { database } = house().running.house;
      await database.transaction((db) => db.deleteFrom("push_subscriptions").execute());
    }));
});
