// A person's own stream, @me: numbered like a server's, sent to all of their sockets, and resumed where it was cut.
import { describe, expect, test } from "bun:test";
import type { Me } from "../../features/accounts/contract.ts";
import { personStream } from "../../server/place.ts";
import { knownOnline } from "../converge/follower.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import type { Ear, ResumePoint } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { cutLog } from "../house/scenes/event-log.ts";
import { homeForEach } from "../house/scenes/home.ts";

const own = (ear: Ear) => ear.frames.filter(({ stream }) => stream === "@me");
const numbers = (ear: Ear) => own(ear).map(({ seq }) => seq);
const personalOf = (ear: Ear) => (ear.ready as unknown as { personal: { seq: number } }).personal.seq;

/** The resume point of a client that follows its own stream. */
function pointOf(ear: Ear): Required<ResumePoint> {
  const { epoch, streams, seen } = ear.resumePoint;
  const last = own(ear).at(-1);
  const ready = ear.heard("READY")[0];
  return {
    epoch,
    streams: { ...streams, "@me": last?.seq ?? personalOf(ear) },
    seen: { ...seen, "@me": last?.ts ?? ready?.ts ?? "" },
  };
}

/** The newest bio that a socket has received. */
function bioIn(ear: Ear): string {
  return String((ear.heard("ME_UPDATE").at(-1)?.data ?? ear.ready.user)?.bio);
}

/** Changes their bio this many times. */
async function change(person: TestPerson, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await person.patch("/auth/me", { bio: `bio ${Math.random()}` });
}

async function answerTo(person: TestPerson, resume: unknown): Promise<Ear> {
  return person.listen(resume as ResumePoint);
}

const kindOf = (ear: Ear) => ear.frames.find(({ type }) => type === "READY" || type === "RESUMED")?.type;

onEachEngine("a person's own stream", (house) => {
  const stage = homeForEach(house);

  test("reaches all of their sockets, the one that acted too, and nobody else", async () => {
    const { olga, bob } = stage;
    const [one, two, other] = [await bob.listen(), await bob.listen(), await olga.listen()];
    await knownOnline("bob", async () => (await bob.get<Me>("/auth/me")).body.presence);
    const before = personalOf(one);
    await bob.put(`/blocks/${olga.id}`);
    await bob.patch("/auth/me", { bio: "Of my own." });
    await bob.delete(`/blocks/${olga.id}`);
    for (const ear of [one, two]) {
      await ear.settle();
      const heard: unknown[] = own(ear).map(({ type, seq, data }) => [type, seq, data]);
      expect(heard).toEqual([
        ["BLOCKS_UPDATE", before + 1, { user_ids: [olga.id] }],
        ["ME_UPDATE", before + 2, (await bob.get("/auth/me")).body],
        ["BLOCKS_UPDATE", before + 3, { user_ids: [] }],
      ]);
      for (const frame of own(ear))
        expect(Object.keys(frame)).toEqual(["type", "stream", "seq", "ts", "data"]);
    }
    await other.settle();
    expect(own(other)).toEqual([]);
    expect(personalOf(await bob.listen())).toBe(before + 3);
  });

  test("tells that a session was added, and that one ended", async () => {
    const { bob } = stage;
    const ear = await bob.listen();
    const { email, password } = bob;
    await bob.post("/auth/login/password", { email, password });
    await ear.next("SESSIONS_UPDATE");
    const sessions = (await bob.get<{ id: string; current: boolean }[]>("/auth/sessions")).body;
    const added = sessions.find(({ current }) => !current);
    expect((await bob.delete(`/auth/sessions/${added?.id}`)).status).toBe(204);
    expect((await ear.next("SESSIONS_UPDATE")).data).toEqual({});
  });

  test("tells of what others change: a role in the instance, given by the operator", async () => {
    const { bob } = stage;
    const ear = await bob.listen();
    const { setInstanceRole, selectUser } = await import("../../features/accounts/access.ts");
    await house().running.house.write(async (unit) => {
      const user = await selectUser(unit.db, bob.id);
      if (user) await setInstanceRole(unit, user, "admin");
    });
    expect((await ear.next("ME_UPDATE")).data).toMatchObject({ id: bob.id, instance_role: "admin" });
  });

  test("is a bot's, too", async () => {
    const bot = await TestBot.make(stage.olga);
    const ear = await bot.listen();
    await stage.olga.patch(`/bots/${bot.id}`, { name: "Renamed" });
    expect((await ear.next("ME_UPDATE")).data).toMatchObject({ id: bot.id, display_name: "Renamed" });
  });

  test("goes upwards to its newest event, however much happens at once and while sockets begin", async () => {
    const { olga, bob } = stage;
    const ears = [await bob.listen()];
    for (let round = 0; round < 6; round++) {
      const begun: Promise<Ear>[] = [];
      await Promise.all(
        Array.from({ length: 10 }, async (_, i) => {
          if (i % 5 === 0) begun.push(bob.listen());
          await (i % 2 === 0 ? change(bob, 1) : bob.put(`/blocks/${olga.id}`));
          await (i % 3 === 0 ? change(bob, 1) : bob.delete(`/blocks/${olga.id}`));
        }),
      );
      ears.push(...(await Promise.all(begun)));
      // No later event would make up for one that a socket missed.
      const isSo = (await bob.get<{ bio: string }>("/auth/me")).body.bio;
      for (const ear of ears) await ear.untilAll(() => bioIn(ear) === isSo);
    }
    for (const ear of ears) {
      const heard = [personalOf(ear), ...numbers(ear)].map(Number);
      expect(heard).toEqual([...new Set(heard)].sort((one, other) => one - other));
    }
    // The race may have ended with a block, and later tests count changes.
    await bob.delete(`/blocks/${olga.id}`);
  });

  describe("on resume", () => {
    test("gives what of the missed still counts, in order, and goes on", async () => {
      const { olga, bob, home } = stage;
      const ear = await bob.listen();
      await change(bob, 2);
      await ear.settle();
      const point = pointOf(ear);
      ear.close();
      await change(bob, 2);
      await bob.put(`/blocks/${olga.id}`);
      await change(bob, 1);
      await bob.delete(`/blocks/${olga.id}`);
      await olga.say(home.general.id, "missed");
      const again = await answerTo(bob, point);
      const from = point.streams["@me"] ?? 0;
      expect(kindOf(again)).toBe("RESUMED");
      expect(own(again).map(({ type, seq }) => `${type} ${(seq ?? 0) - from}`)).toEqual([
        "ME_UPDATE 4",
        "BLOCKS_UPDATE 5",
      ]);
      expect(again.heard("MESSAGE_CREATE")).toHaveLength(1);
      expect(Number(again.heard("RESUMED")[0]?.data.replayed)).toBe(3);
      await change(bob, 1);
      expect((await again.next("ME_UPDATE")).seq).toBeGreaterThan(from);
      await again.settle();
      expect(numbers(again).at(-1)).toBe(from + 6);
    });

    test("leaves a client alone that does not name it, and tells it what comes from then on", async () => {
      const { olga, bob, home } = stage;
      const ear = await bob.listen();
      const old = ear.resumePoint;
      expect(Object.keys(old.streams)).toContain(home.id);
      expect(Object.keys(old.streams)).not.toContain("@me");
      ear.close();
      await change(bob, 3);
      await olga.say(home.general.id, "missed");
      const again = await answerTo(bob, old);
      expect(kindOf(again)).toBe("RESUMED");
      expect(own(again)).toEqual([]);
      expect(again.heard("MESSAGE_CREATE")).toHaveLength(1);
      await change(bob, 1);
      await again.next("ME_UPDATE");
      expect(own(again)).toHaveLength(1);
    });

    for (const [what, wrong] of [
      ["a number ahead of the log", (seq: number) => seq + 1],
      ["a negative number", () => -1],
      ["half a number", () => 0.5],
      ["a word", () => "0"],
      ["nothing", () => null],
    ] as const) {
      test(`gives READY for ${what}`, async () => {
        const point = pointOf(await stage.bob.listen());
        const streams = { ...point.streams, "@me": wrong(point.streams["@me"] ?? 0) };
        expect(kindOf(await answerTo(stage.bob, { ...point, streams }))).toBe("READY");
      });
    }

    test("gives READY where the log does not go back so far", async () => {
      const { bob } = stage;
      const point = pointOf(await bob.listen());
      await change(bob, 3);
      await cutLog(house(), personStream(bob.id), (point.streams["@me"] ?? 0) + 1);
      expect(kindOf(await answerTo(bob, point))).toBe("READY");
    });

    test("gives READY where the log was set back and went on, and goes by `seen` only where it is given", async () => {
      const { bob } = stage;
      const ear = await bob.listen();
      await change(bob, 2);
      await ear.settle();
      const point = pointOf(ear);
      await setBack(house(), bob, 2);
      await change(bob, 2);
      expect(kindOf(await answerTo(bob, point))).toBe("READY");
      const { "@me": _, ...seen } = point.seen;
      expect(kindOf(await answerTo(bob, { ...point, seen }))).toBe("RESUMED");
    });
  });
});

/** Deletes the last events of a person's stream, as if they had never been written. */
async function setBack(house: TestHouse, person: TestPerson, count: number): Promise<void> {
  const stream = personStream(person.id);
  await house.running.house.database.transaction(async (db) => {
    const { seq } = await db
      .selectFrom("streams")
      .select("seq")
      .where("stream", "=", stream)
      .executeTakeFirstOrThrow();
    await db
      .deleteFrom("events")
      .where("stream", "=", stream)
      .where("seq", ">", seq - count)
      .execute();
    await db
      .updateTable("streams")
      .set({ seq: seq - count })
      .where("stream", "=", stream)
      .execute();
  });
}
