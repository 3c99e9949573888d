// The log keeps only the newest of a person's events that replace each other: no account can fill a disk with them.
import { beforeAll, expect, test } from "bun:test";
import { personStream } from "../../server/place.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { signInAgain, subscribe } from "../house/people/own-devices.ts";
import type { TestPerson } from "../house/people/people.ts";
import { neighbours } from "../house/scenes/home.ts";

const times = 4;

onEachEngine("events of one's own that say the same anew", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  beforeAll(async () => {
    stage = await neighbours(house());
    await stage.alice.makeServer();
  });

  const kinds: [string, (person: TestPerson, time: number) => Promise<{ status: number }>][] = [
    ["ME_UPDATE", (person, time) => person.patch("/auth/me", { bio: `${time} ${"x".repeat(500)}` })],
    ["SESSIONS_UPDATE", (person) => signInAgain(person)],
    ["PUSH_SUBSCRIPTIONS_UPDATE", (person) => subscribe(person)],
    [
      "BLOCKS_UPDATE",
      (person, time) => person.call(time % 2 === 0 ? "PUT" : "DELETE", `/blocks/${stage.bob.id}`),
    ],
    [
      "SERVER_ORDER_UPDATE",
      async (person, time) => {
        const ids = (await person.get<{ id: string }[]>("/servers")).body.map(({ id }) => id);
        return person.put("/auth/me/server-order", { server_ids: time % 2 === 0 ? ids.reverse() : ids });
      },
    ],
  ];

  for (const [type, change] of kinds) {
    test(`of ${type} there is one; who was away hears it alone, whoever listens hears all`, async () => {
      const { alice } = stage;
      const ear = await alice.listen();
      const { resumePoint } = ear;
      const seq = (ear.ready as unknown as { personal: { seq: number } }).personal.seq;
      const point = { ...resumePoint, streams: { ...resumePoint.streams, "@me": seq } };
      for (let time = 0; time < times; time++) expect((await change(alice, time)).status).toBeLessThan(300);
      await ear.settle();
      const heard = ear.heard(type);
      expect(heard).toHaveLength(times);
      ear.close();

      const logged = await house()
        .running.house.database.read.selectFrom("events")
        .select("seq")
        .where("stream", "=", personStream(alice.id))
        .where("frame", "like", `%"${type}"%`)
        .execute();
      expect(logged.map((row) => row.seq)).toEqual([Number(heard.at(-1)?.seq)]);

      const again = await alice.listen(point);
      expect(again.heard("READY")).toEqual([]);
      expect(again.heard(type)).toEqual(heard.slice(-1));
      again.close();
    });
  }
});
