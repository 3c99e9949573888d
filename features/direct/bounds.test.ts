// Conversations at their edges: how many there may be, how often they are renamed, and what is not told too early.
import { beforeEach, expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Conversation } from "../channels/contract.ts";
import type { ListedConversation } from "./contract.ts";

const lowestId = "00000000-0000-0000-0000-000000000000";

onEachEngine("conversations at their edges", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  let dora: TestPerson;
  beforeEach(async () => {
    stage = await neighbours(house());
    dora = await house().person("dora");
    await stage.alice.bringIn(stage.home.id, dora);
  });

  const begin = (by: TestPerson, ...others: { id: string }[]) =>
    by.post<Conversation>("/direct", { user_ids: others.map(({ id }) => id) });
  const listed = async (by: TestPerson) => (await by.get<ListedConversation[]>("/direct")).body;

  /** Puts the person into as many conversations as one may be in. */
  async function crowd({ id }: TestPerson): Promise<void> {
    const { database } = house().running.house;
    for (let left = limits.conversations_max; left > 0; left -= 500)
      await database.transaction((db) =>
        db
          .insertInto("recipients")
          .values(
            Array.from({ length: Math.min(500, left) }, () => ({
              channel_id: Bun.randomUUIDv7(),
              user_id: id,
              place: 0,
              joined_id: lowestId,
              hidden: 0 as const,
            })),
          )
          .execute(),
      );
  }

  test("somebody in as many as one may be begins no other and is brought into no group, but can be written to", async () => {
    const { alice, bob, carol } = stage;
    const { body: group } = await begin(bob, carol, dora);
    await crowd(alice);
    for (const others of [[bob], [bob, carol]])
      expect(verdict(await begin(alice, ...others))).toBe("409 conflict");
    expect(verdict(await begin(bob, alice, carol))).toBe("403 forbidden");
    expect(verdict(await bob.put(`/channels/${group.id}/recipients/${alice.id}`))).toBe("403 forbidden");
    expect((await begin(bob, alice)).status).toBe(201);
  });

  test("an excerpt is cut between characters, never in one", async () => {
    const { alice, bob } = stage;
    const { body: talk } = await begin(alice, bob);
    await alice.say(talk.id, `a${"\n".repeat(998)}😀b`);
    const [{ last_message } = {}] = await listed(bob);
    expect(last_message?.excerpt).toBe("a");
    await alice.say(talk.id, `a${"\n".repeat(997)}😀b`);
    expect((await listed(bob))[0]?.last_message?.excerpt).toBe("a 😀");
  });

  test("two people of whom one blocks the other have the same permissions in lists as in the conversation", async () => {
    const { alice, bob } = stage;
    const { body: talk } = await begin(alice, bob);
    await alice.say(talk.id, "before");
    await bob.put(`/blocks/${alice.id}`);
    for (const person of [alice, bob]) {
      const { body } = await person.get<{ permissions: number }>(`/channels/${talk.id}`);
      const ear = await person.listen();
      const inReady = (ear.ready.direct as unknown as ListedConversation[])[0];
      ear.close();
      expect([body.permissions, (await listed(person))[0]?.permissions, inReady?.permissions]).toEqual([
        1, 1, 1,
      ]);
    }
  });

  test("who types before the first message is not betrayed to the other", async () => {
    const { alice, bob } = stage;
    const { body: talk } = await begin(alice, bob);
    const ear = await bob.listen();
    const type = () => alice.post(`/channels/${talk.id}/typing`);
    expect((await type()).status).toBe(204);
    await ear.settle();
    expect(ear.heard("TYPING_START")).toEqual([]);
    await alice.say(talk.id, "first");
    await type();
    await ear.next("TYPING_START");
    ear.close();
  });

  test("a bot that hides a conversation hears of no marker, as bots have none", async () => {
    const { alice } = stage;
    const bot = await TestBot.make(alice);
    await bot.enter(stage.home.id);
    const { body: talk } = await begin(alice, bot);
    await alice.say(talk.id, "hello");
    const ear = await bot.listen();
    await bot.delete(`/direct/${talk.id}`);
    await ear.next("CHANNEL_DELETE");
    await house().quiet();
    await ear.settle();
    expect(ear.heard("READ_STATE_UPDATE")).toEqual([]);
    ear.close();
  });

  test("refusals come in the order of the contract: nobody there, not allowed, not possible", async () => {
    const { alice, bob, carol } = stage;
    const bot = await TestBot.make(alice);
    await bot.enter(stage.home.id);
    await bob.put(`/blocks/${alice.id}`);
    expect(verdict(await begin(alice, bot, bob))).toBe("403 forbidden");
    expect(verdict(await begin(alice, bot, carol))).toBe("400 invalid_request");
    const { body: group } = await begin(alice, carol, dora);
    expect(verdict(await carol.delete(`/channels/${group.id}/recipients/${bob.id}`))).toBe("404 not_found");
    expect(verdict(await carol.delete(`/channels/${group.id}/recipients/${alice.id}`))).toBe(
      "403 owner_only",
    );
  });
});

onEachEngine(
  "names of groups",
  (house) => {
    test("a group is renamed ten times at once, and then no more for a while; others in it are not held up", async () => {
      const { alice, bob, carol } = await neighbours(house());
      const user_ids = [bob.id, carol.id];
      const { body: group } = await alice.post<Conversation>("/direct", { user_ids });
      const rename = (by: TestPerson, name: string) => by.patch(`/channels/${group.id}`, { name });
      for (let i = 0; i < 10; i++) expect((await rename(alice, `name ${i}`)).status).toBe(200);
      const refused = await rename(alice, "one more");
      expect(verdict(refused)).toBe("429 rate_limited");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await rename(alice, "name 9")).status).toBe(200);
      expect((await rename(bob, "Bob's name")).status).toBe(200);
    });
  },
  { RATE_LIMITS: "on" },
);

onEachEngine(
  "people of groups",
  (house) => {
    test("of a group with long profiles 6 MiB are written at once, and no more; posts go on", async () => {
      const { alice, bob, carol, home } = await neighbours(house());
      const others = await Promise.all(Array.from({ length: 7 }, () => house().person("other")));
      await alice.bringIn(home.id, ...others);
      const people = [alice, bob, carol, ...others];
      for (const each of people)
        expect((await each.patch("/auth/me", { bio: "🐸".repeat(1000) })).status).toBe(200);
      const user_ids = people.slice(1).map(({ id }) => id);
      const { body: group } = await alice.post<Conversation>("/direct", { user_ids });
      const seat = `/channels/${group.id}/recipients/${carol.id}`;
      let added = 0;
      for (let status = 204; status === 204 && added < 100; added++) {
        expect((await alice.delete(seat)).status).toBe(204);
        status = (await alice.put(seat)).status;
        if (status !== 204) expect(status).toBe(429);
      }
      // Ten profiles of 2,000 UTF-16 code units, in ten streams: four times 64 KiB.
      expect(added).toBeGreaterThan(20);
      expect(added).toBeLessThan(35);
      expect((await alice.post(`/channels/${group.id}/messages`, { content: "on" })).status).toBe(201);
    });

    test("of people with short profiles as many are brought in as `RATE_DIRECT` allows", async () => {
      const { alice, bob, carol } = await neighbours(house());
      const { body: group } = await alice.post<Conversation>("/direct", { user_ids: [bob.id, carol.id] });
      const seat = `/channels/${group.id}/recipients/${carol.id}`;
      for (let round = 0; round < 40; round++) {
        expect((await alice.delete(seat)).status).toBe(204);
        expect((await alice.put(seat)).status).toBe(204);
      }
    });
  },
  { RATE_LIMITS: "on", RATE_DIRECT: "100/100", RATE_AUTH: "100/100", RATE_INVITES: "100/100" },
);
