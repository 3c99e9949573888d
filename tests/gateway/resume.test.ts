// Resuming a lost connection: all missed events in order, and RESUMED; or a fresh READY; never a part of either.

import { beforeAll, describe, expect, test } from "bun:test";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { serverStream } from "../../server/place.ts";
import { makeHouse, onEachEngine, type TestHouse } from "../house/open/engines.ts";
import { Ear, type ResumePoint } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { cutLog } from "../house/scenes/event-log.ts";

type Point = ResumePoint;

/** Bob has listened to Alice's server and is cut off; events that he misses come next. */
async function cutOff(house: TestHouse) {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
  const ear = await bob.listen();
  await alice.say(home.general.id, "heard");
  await ear.next("MESSAGE_CREATE");
  const point = ear.resumePoint;
  ear.close();
  await ear.closed;
  return { alice, bob, home, point };
}

async function expectReady(person: TestPerson, point: Point): Promise<Ear> {
  const ear = await person.listen(point);
  expect(ear.frames[0]?.type).toBe("READY");
  await ear.settle();
  expect(ear.heard("RESUMED")).toEqual([]);
  expect(ear.frames.filter((frame) => frame.seq !== undefined)).toEqual([]);
  return ear;
}

/** Expects the missed messages in order, then RESUMED, and then live events. */
async function expectResumed(person: TestPerson, point: Point, missed: readonly string[]): Promise<Ear> {
  const ear = await person.listen(point);
  const until = ear.frames.findIndex((frame) => frame.type === "RESUMED");
  expect(ear.heard("READY")).toEqual([]);
  expect(until).toBe(missed.length);
  expect(ear.frames[until]?.data as unknown).toEqual({ replayed: missed.length });
  expect(ear.frames[until]?.seq).toBeUndefined();
  expect(ear.frames.slice(0, until).map((frame) => String(frame.data.content ?? frame.type))).toEqual([
    ...missed,
  ]);
  return ear;
}

onEachEngine("resuming", (house) => {
  // A walk through the log begins a second after the house opens, and puts an edited message's present words into each
  // of its events: whether a replay equals the frames that others heard live would depend on the moment.
  beforeAll(() => house().stopJobs());

  test("replays what was missed, the same frames that others heard live, then RESUMED, then goes on", async () => {
    const { alice, bob, home, point } = await cutOff(house());
    const witness = await alice.listen();
    const message = await alice.say(home.general.id, "one");
    await alice.patch(`/messages/${message.id}`, { content: "two" });
    await alice.patch(`/servers/${home.id}`, { name: "three" });
    await alice.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
    await witness.next("REACTION_ADD");
    const ear = await expectResumed(bob, point, ["one", "two", "SERVER_UPDATE", "REACTION_ADD"]);
    const numbered = (each: Ear) => each.frames.filter((frame) => frame.seq !== undefined);
    expect(numbered(ear)).toEqual(numbered(witness));
    const last = numbered(witness).at(-1)?.seq ?? 0;
    await alice.say(home.general.id, "live");
    expect((await ear.next("MESSAGE_CREATE")).seq).toBe(last + 1);
  });

  test("what fills several pages of the log comes whole, and in order", async () => {
    const { alice, bob, home, point } = await cutOff(house());
    const texts = Array.from({ length: 250 }, (_, i) => `missed ${i}`);
    for (const text of texts) await alice.say(home.general.id, text);
    (await expectResumed(bob, point, texts)).close();
  });

  test("nothing missed: RESUMED {replayed: 0}; again and again", async () => {
    const { alice, bob, home, point } = await cutOff(house());
    const ear = await expectResumed(bob, point, []);
    ear.close();
    await alice.say(home.general.id, "a");
    (await expectResumed(bob, point, ["a"])).close();
    await expectResumed(bob, point, ["a"]);
  });

  test("several servers at once; what is live only is not replayed", async () => {
    const { alice, bob, home, point: before } = await cutOff(house());
    const other = await bob.makeServer("Other");
    await bob.bringIn(other.id, alice);
    const ear = await bob.listen();
    expect(Object.keys(before.streams)).toHaveLength(1);
    const point = ear.resumePoint;
    ear.close();
    await alice.listen();
    await alice.say(home.general.id, "one");
    await alice.post(`/channels/${home.general.id}/typing`);
    await alice.patch("/auth/me", { display_name: "Alicia" });
    await alice.say(other.general.id, "two");
    const again = await bob.listen(point);
    expect(again.types).toEqual(["MESSAGE_CREATE", "MESSAGE_CREATE", "RESUMED"]);
  });

  test("another device of the same person resumes by itself", async () => {
    const { alice, bob, home, point } = await cutOff(house());
    await bob.listen();
    await alice.say(home.general.id, "one");
    await expectResumed(bob, point, ["one"]);
  });

  test("who could not see the channels when it was said, and cannot now, is not told", async () => {
    const { alice, bob, home } = await cutOff(house());
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, {
      permissions: permission.SEND_MESSAGES,
    });
    const ear = await bob.listen();
    const point = ear.resumePoint;
    ear.close();
    await alice.say(home.general.id, "secret");
    await alice.patch(`/servers/${home.id}`, { name: "public" });
    await alice.say(home.general.id, "secret too");
    const again = await expectResumed(bob, point, ["SERVER_UPDATE"]);
    expect(JSON.stringify(again.frames)).not.toContain("secret");
  });

  describe("is a fresh READY when", () => {
    const spoilt: Record<string, (point: Point, serverId: string) => Point> = {
      "the epoch is another": (point) => ({ ...point, epoch: "01890000-0000-7000-8000-000000000000" }),
      "the epoch is empty": (point) => ({ ...point, epoch: "" }),
      "the number is in the future": (point, id) => ({
        ...point,
        streams: { [id]: (point.streams[id] ?? 0) + 2 },
      }),
      "the number is huge": (point, id) => ({ ...point, streams: { [id]: Number.MAX_SAFE_INTEGER } }),
      "the number is past every integer": (point, id) => ({ ...point, streams: { [id]: 1e300 } }),
      "the number is negative": (point, id) => ({ ...point, streams: { [id]: -1 } }),
      "the number is a fraction": (point, id) => ({ ...point, streams: { [id]: 1.5 } }),
      "a server is missing": (point) => ({ ...point, streams: {} }),
      "a server is foreign": (point) => ({
        ...point,
        streams: { ...point.streams, "01890000-0000-7000-8000-000000000000": 1 },
      }),
      "a foreign server stands for one's own": (point) => ({
        ...point,
        streams: { "01890000-0000-7000-8000-000000000000": 1 },
      }),
      "a server has no id at all": (point) => ({ ...point, streams: { __proto__x: 1 } }),
    };
    for (const [what, spoil] of Object.entries(spoilt)) {
      test(what, async () => {
        const { alice, bob, home, point } = await cutOff(house());
        await alice.say(home.general.id, "missed");
        const ear = await expectReady(bob, spoil(point, home.id));
        await alice.say(home.general.id, "live");
        expect(String((await ear.next("MESSAGE_CREATE")).data.content)).toBe("live");
      });
    }

    test("the server is somebody else's: nothing of it is told", async () => {
      const { bob, point } = await cutOff(house());
      const mallory = await house().person("mallory");
      const hers = await mallory.makeServer();
      await mallory.say(hers.general.id, "private");
      const ear = await expectReady(bob, { ...point, streams: { ...point.streams, [hers.id]: 0 } });
      expect(JSON.stringify(ear.frames)).not.toContain(hers.id);
      const theft = await expectReady(mallory, point);
      expect(JSON.stringify(theft.frames)).not.toContain("heard");
    });

    type Cut = Awaited<ReturnType<typeof cutOff>>;
    const changes: Record<string, (cut: Cut) => Promise<unknown>> = {
      "one was kicked": ({ alice, home, bob }) => alice.delete(`/servers/${home.id}/members/${bob.id}`),
      "one was kicked and joined again": async ({ alice, home, bob }) => {
        await alice.delete(`/servers/${home.id}/members/${bob.id}`);
        await alice.bringIn(home.id, bob);
      },
      "one joined another server": ({ bob }) => bob.makeServer("Another"),
      "the server was deleted": ({ alice, home }) => alice.delete(`/servers/${home.id}`),
      "one lost the sight of its channels": ({ alice, home }) =>
        alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, {
          permissions: permission.SEND_MESSAGES,
        }),
      "one lost it and got it back": async ({ alice, home }) => {
        const path = `/servers/${home.id}/roles/${home.everyone.id}`;
        await alice.patch(path, { permissions: permission.SEND_MESSAGES });
        await alice.patch(path, { permissions: defaultPermissions });
      },
      "one got a role": ({ alice, home, bob }) => alice.giveRole(home.id, bob, permission.KICK_MEMBERS),
      "one became the owner": ({ alice, home, bob }) =>
        alice.post(`/servers/${home.id}/owner`, { user_id: bob.id }),
    };
    for (const [what, change] of Object.entries(changes)) {
      test(what, async () => {
        const cut = await cutOff(house());
        await cut.alice.say(cut.home.general.id, "missed");
        await change(cut);
        const ear = await expectReady(cut.bob, cut.point);
        const servers = ear.ready.servers as unknown as { id: string }[];
        const now = (await cut.bob.get<{ id: string }[]>("/servers")).body;
        expect(servers.map(({ id }) => id)).toEqual(now.map(({ id }) => id));
      });
    }

    test("a role that one holds was changed or deleted", async () => {
      const { alice, bob, home } = await cutOff(house());
      const role = await alice.giveRole(home.id, bob, permission.KICK_MEMBERS);
      const path = `/servers/${home.id}/roles/${role.id}`;
      for (const change of [() => alice.patch(path, { permissions: 0 }), () => alice.delete(path)]) {
        const ear = await bob.listen();
        ear.close();
        await change();
        await expectReady(bob, ear.resumePoint);
      }
    });

    test("the log no longer goes back that far", async () => {
      const { alice, bob, home, point } = await cutOff(house());
      for (let i = 0; i < 5; i++) await alice.say(home.general.id, `missed ${i}`);
      const from = point.streams[home.id] ?? 0;
      await cutLog(house(), serverStream(home.id), from + 2);
      await expectReady(bob, point);
      const kept = { epoch: point.epoch, streams: { [home.id]: from + 2 } };
      await expectResumed(bob, kept, ["missed 2", "missed 3", "missed 4"]);
    });
  });

  test("other people's roles and comings do not spoil it", async () => {
    const { alice, bob, home, point } = await cutOff(house());
    const carol = await house().person("carol");
    await alice.bringIn(home.id, carol);
    await alice.giveRole(home.id, carol, permission.KICK_MEMBERS);
    await alice.delete(`/servers/${home.id}/members/${carol.id}`);
    await expectResumed(bob, point, [
      "SERVER_MEMBER_ADD",
      "ROLE_CREATE",
      "SERVER_MEMBER_UPDATE",
      "SERVER_MEMBER_REMOVE",
    ]);
  });

  test("across a restart of the process: nothing is lost, and nothing is numbered twice", async () => {
    const own = await makeHouse(house().engine, {}, undefined, true);
    await own.open();
    try {
      const { alice, bob, home, point } = await cutOff(own);
      const live = await bob.listen();
      await alice.say(home.general.id, "one");
      await live.next("MESSAGE_CREATE");
      await own.restart();
      expect((await live.closed).code).toBe(1012);
      await alice.say(home.general.id, "two");
      await expectResumed(bob, live.resumePoint, ["two"]);
      await own.restart();
      const ear = await expectResumed(bob, point, ["one", "two"]);
      const seqs = ear.heard("MESSAGE_CREATE").map((frame) => frame.seq ?? 0);
      await alice.say(home.general.id, "three");
      expect((await ear.next("MESSAGE_CREATE")).seq).toBe((seqs.at(-1) ?? 0) + 1);
    } finally {
      await own.end();
    }
  });

  test("a token that is no good is no good for resuming either", async () => {
    const { bob, point } = await cutOff(house());
    await bob.post("/auth/logout");
    const ear = await Ear.connect(house().url);
    ear.say("AUTH", { token: bob.token, resume: point });
    expect((await ear.closed).code).toBe(4001);
    expect(ear.frames).toEqual([]);
  });
});
