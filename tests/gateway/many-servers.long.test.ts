// People in very many servers: the database queries of their sign-in, and its effect on others.
import { beforeAll, expect, test } from "bun:test";
import type { Server } from "../../features/servers/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { onOneProcess, type TestHouse } from "../house/open/engines.ts";
import { Ear, type ResumePoint } from "../house/people/ear.ts";
import { fillServers } from "../house/people/many-servers.ts";
import type { TestPerson } from "../house/people/people.ts";
import { statementsOf } from "../house/scenes/statements.ts";

/** Alice and Bob in this many servers. */
async function pairIn(house: TestHouse, count: number): Promise<[TestPerson, TestPerson]> {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  await fillServers(house.running.house, count, [alice, bob]);
  return [alice, bob];
}

async function connect(person: TestPerson): Promise<Ear> {
  return Ear.connect(person.host.url);
}

onOneProcess("somebody in very many servers", (house) => {
  beforeAll(() => house().quiet());

  test("is told of 200 with a few questions for all of them, as of one, and everything is there", async () => {
    const [one, many] = [await pairIn(house(), 1), await pairIn(house(), 200)];
    for (const [, bob] of [one, many]) await bob.listen();
    const few = await statementsOf(house(), () => one[0].listen());
    const all = await statementsOf(house(), () => many[0].listen());
    // Two batches of a hundred servers, each with the queries of one, and none per server. Notices of his arrival may
    // add a few queries.
    expect(all.statements.length).toBeLessThanOrEqual(2 * few.statements.length + 10);
    const servers = all.answer.ready.servers as unknown as Record<string, unknown[]>[];
    expect(servers).toHaveLength(200);
    for (const { channels, roles, role_ids, presences } of servers) {
      const counts = [channels, roles, role_ids, presences].map((list) => list?.length);
      expect(counts).toEqual([3, 3, 1, 2]);
    }
  });

  test("lists 200 with as many questions, two times, as one", async () => {
    const [[one], [many]] = [await pairIn(house(), 1), await pairIn(house(), 200)];
    for (const person of [one, many]) await person.get("/auth/me");
    const few = await statementsOf(house(), () => one.get<Server[]>("/servers"));
    const all = await statementsOf(house(), () => many.get<Server[]>("/servers"));
    // With several servers, one more query counts the roles.
    expect(all.statements.length).toBeLessThanOrEqual(2 * (few.statements.length + 1));
    expect(all.answer.body).toHaveLength(200);
    expect(all.answer.body.every(({ permissions }) => permissions === 2047)).toBe(true);
  });

  test("takes up 200 again with a few questions, as one", async () => {
    const [[one], [many]] = [await pairIn(house(), 1), await pairIn(house(), 200)];
    const points: ResumePoint[] = [];
    for (const person of [one, many]) {
      const ear = await person.listen();
      for (const { id } of ear.ready.servers as unknown as { id: string }[]) {
        await person.patch(`/servers/${id}`, { name: "Elsewhere" });
      }
      points.push(ear.resumePoint);
      await ear.settle();
      ear.close();
      await ear.closed;
    }
    const few = await statementsOf(house(), () => one.listen(points[0]));
    const all = await statementsOf(house(), () => many.listen(points[1]));
    expect([few, all].map(({ answer }) => answer.types.at(-1))).toEqual(["RESUMED", "RESUMED"]);
    // The replay reads the logs of servers with news for this person, and no others.
    const replayed = (statements: string[]) =>
      statements.filter((text) => text.includes('"seq" >') && text.includes("limit")).length;
    expect(all.statements.length - replayed(all.statements)).toBeLessThanOrEqual(4 * few.statements.length);
  });

  test("and many like them at once: somebody else's sign-in and post do not wait for them", async () => {
    const many = await Promise.all(Array.from({ length: 10 }, (_, i) => house().person(`one-of-many-${i}`)));
    await fillServers(house().running.house, 200, many);
    const carol = await house().person("carol");
    const home = await carol.makeServer();
    const hers = await connect(carol);
    const ears = await Promise.all(many.map(connect));
    for (const [i, ear] of ears.entries()) ear.say("AUTH", { token: many[i]?.token });
    const isIn = (ear: Ear) => ear.heard("READY").length === 1;
    await Promise.race(ears.map((ear) => ear.next("READY")));
    hers.say("AUTH", { token: carol.token });
    await Promise.all([hers.next("READY"), carol.say(home.general.id, "hello")]);
    // In order of arrival, all of them would come before hers.
    expect(ears.filter(isIn).length).toBeLessThanOrEqual(5);
    await until(() => ears.every(isIn), "not all came in");
    for (const ear of [...ears, hers]) ear.close();
  });
});
