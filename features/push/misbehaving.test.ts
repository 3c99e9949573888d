// One example of each kind of malicious push host; misbehaving.long.test.ts has all of them.
import { expect, test } from "bun:test";
import { newId } from "../../server/tokens.ts";
import { hostOf, MisbehavingHosts } from "../../tests/doubles/misbehaving-hosts.ts";
import { fewMisdeeds, misdeeds } from "../../tests/doubles/misdeeds.ts";
import { Browser } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { comeIn, crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { allTried, pushedUntil, withPushService } from "../../tests/house/scenes/pushes.ts";

const patienceMs = 1000;
const longMs = 600_000;
/** The most concurrent pushes: of one person, to one host, and in total. */
const atOnce = 4;
const placesOfHost = 16;
const placesOfAll = 20;

async function subscribe(person: TestPerson, host: string): Promise<void> {
  const { subscription } = new Browser(`https://${host}/${crypto.randomUUID()}`);
  expect((await person.post("/push/subscribe", subscription)).status).toBe(204);
}

withPushService("pushes to hosts that mean ill in a few ways", (house) => {
  test("a misdeed of each kind, all at once: each try ends and is counted, and somebody else gets theirs meanwhile", async () => {
    using hosts = await MisbehavingHosts.open();
    hosts.serve(house(), patienceMs);
    const [alice, bystander] = [await house().person("alice"), await house().person("bystander")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bystander);
    await subscribe(bystander, hosts.goodHost);
    const people: TestPerson[] = [];
    for (const [i, misdeed] of fewMisdeeds.entries()) {
      if (i % atOnce === 0) {
        people.push(await house().person(`member${i}`));
        await alice.bringIn(home.id, people.at(-1)!);
      }
      await subscribe(people.at(-1)!, hostOf(misdeed));
    }
    const mention = (...whom: TestPerson[]) =>
      alice.say(home.general.id, whom.map(({ id }) => `<@${id}>`).join(" "));
    await mention(...people);
    await pushedUntil(house(), () => hosts.open > 0, "nothing is under way");
    // Long enough for the good host on a busy machine.
    hosts.serve(house(), longMs);
    await mention(bystander);
    await pushedUntil(house(), () => hosts.goodRequests === 1, "the bystander was held up");
    await allTried(house());
    const { read } = house().running.house.database;
    const left = await read.selectFrom("push_deliveries").select("tries").execute();
    // If a complete header arrived, its status counts, whatever follows.
    expect(left.length).toBeWithin(4, fewMisdeeds.length);
    expect(new Set(left.map(({ tries }) => tries))).toEqual(new Set([1]));
    await until(() => hosts.open === 0, "a connection is still open");
    expect(hosts.goodRequests).toBe(1);
  });

  test("a silent host has its share and no more, however many people have their browsers there", async () => {
    using hosts = await MisbehavingHosts.open();
    hosts.serve(house(), longMs);
    const { database } = house().running.house;
    await database.transaction((db) => db.deleteFrom("push_deliveries").execute());
    const [alice, bystander] = [await house().person("alice"), await house().person("bystander")];
    const [home, elsewhere] = [await alice.makeServer(), await alice.makeServer()];
    await alice.bringIn(elsewhere.id, bystander);
    await subscribe(bystander, hosts.goodHost);
    const sessions = database.read.selectFrom("sessions").select("id").where("user_id", "=", alice.id);
    const { id: session_id } = await sessions.executeTakeFirstOrThrow();
    const ids = await crowd(house(), alice, placesOfAll);
    await comeIn(house(), home.id, ids);
    const silent = misdeeds.find(({ what }) => what === "silence")!;
    const rows = ids.map((user_id) => {
      const { subscription } = new Browser(`https://${hostOf(silent)}/${user_id}`);
      return { id: newId(), user_id, session_id, ...subscription, created_at: 1 };
    });
    await fill(house(), "push_subscriptions", rows);
    await alice.say(home.general.id, "@everyone");
    await pushedUntil(house(), () => hosts.open >= placesOfHost, "nothing is under way");
    await alice.say(elsewhere.general.id, `<@${bystander.id}>`);
    await pushedUntil(house(), () => hosts.goodRequests === 1, "the bystander was held up");
    await database.transaction((db) => db.deleteFrom("push_subscriptions").execute());
  });
});
