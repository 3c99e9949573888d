// A log that lost its end, by a restored backup or a failed disk, and went on: its numbers repeat.

import { expect, test } from "bun:test";
import { serverStream } from "../../server/place.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import type { ResumePoint } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { homeForEach } from "../house/scenes/home.ts";

/** Deletes the last events of a server's stream, as if they had never been written. */
async function setBack(house: TestHouse, serverId: string, count: number): Promise<void> {
  const { database } = house.running.house;
  await database.transaction(async (db) => {
    const { seq } = await db
      .selectFrom("streams")
      .select("seq")
      .where("stream", "=", serverStream(serverId))
      .executeTakeFirstOrThrow();
    await db
      .deleteFrom("events")
      .where("stream", "=", serverStream(serverId))
      .where("seq", ">", seq - count)
      .execute();
    await db
      .updateTable("streams")
      .set({ seq: seq - count })
      .where("stream", "=", serverStream(serverId))
      .execute();
  });
  await house.restart();
}

/** The answer to a resume: READY or RESUMED. */
async function answerTo(person: TestPerson, resume: ResumePoint): Promise<string> {
  const ear = await person.listen(resume);
  ear.close();
  return ear.frames.find(({ type }) => type === "READY" || type === "RESUMED")?.type ?? "";
}

onEachEngine("a log that was set back", (house) => {
  const stage = homeForEach(house);

  /** Bob hears some messages; then they are lost, and others posted in their place. */
  async function lost(heard: string[], since: string[]) {
    const { olga, bob, home } = stage;
    const ear = await bob.listen();
    for (const text of heard) await olga.say(home.general.id, text);
    for (const _ of heard) await ear.next("MESSAGE_CREATE");
    const point = ear.resumePoint;
    await setBack(house(), home.id, heard.length);
    for (const text of since) await olga.say(home.general.id, text);
    return point;
  }

  test("gives a fresh READY to whoever says what they have seen, though their number is there again", async () => {
    const { bob, home } = stage;
    const point = await lost(["one", "two"], ["three", "four", "five"]);
    const { seen, ...unseeing } = point;
    expect(await answerTo(bob, point)).toBe("READY");
    expect(await answerTo(bob, { ...unseeing, seen: { [home.id.toUpperCase()]: seen[home.id] ?? "" } })).toBe(
      "READY",
    );
    expect(await answerTo(bob, unseeing)).toBe("RESUMED");
    expect(await answerTo(bob, { ...unseeing, seen: {} })).toBe("RESUMED");
  });

  test("also when no more was said than was lost, and when the READY was all that was seen", async () => {
    const { olga, bob, home } = stage;
    const point = await lost(["one"], ["two"]);
    expect(await answerTo(bob, point)).toBe("READY");
    const ear = await bob.listen();
    await setBack(house(), home.id, 1);
    await olga.say(home.general.id, "three");
    expect(await answerTo(bob, ear.resumePoint)).toBe("READY");
  });
});

onEachEngine("what a client has seen", (house) => {
  const stage = homeForEach(house);

  async function heardOne(): Promise<Required<ResumePoint>> {
    const { olga, bob, home } = stage;
    const ear = await bob.listen();
    await olga.say(home.general.id, "one");
    await ear.next("MESSAGE_CREATE");
    ear.close();
    return ear.resumePoint;
  }

  test("is no hindrance where the log is the same: after events, and after READY alone", async () => {
    const { olga, bob, home } = stage;
    const point = await heardOne();
    expect(await answerTo(bob, point)).toBe("RESUMED");
    await olga.say(home.general.id, "missed");
    expect(await answerTo(bob, point)).toBe("RESUMED");
    const ear = await bob.listen();
    expect(await answerTo(bob, ear.resumePoint)).toBe("RESUMED");
    expect(await answerTo(bob, { ...point, seen: { ...point.seen, "@me": point.seen[home.id] ?? "" } })).toBe(
      "RESUMED",
    );
  });

  test("that is no time, or too much, is a fresh READY", async () => {
    const { bob, home } = stage;
    const point = await heardOne();
    for (const wrong of ["", "yesterday", "2026-13-01T00:00:00.000Z", 7, null]) {
      const seen = { [home.id]: wrong as string };
      expect([wrong, await answerTo(bob, { ...point, seen })]).toEqual([wrong, "READY"]);
    }
    const many = Object.fromEntries(
      Array.from({ length: 1001 }, (_, i) => [`s${i}`, "2026-01-01T00:00:00.000Z"]),
    );
    expect(await answerTo(bob, { ...point, seen: { ...point.seen, ...many } })).toBe("READY");
  });

  test("a stream of a name that nobody knows yet is a fresh READY, as a foreign server is", async () => {
    const point = await heardOne();
    expect(await answerTo(stage.bob, { ...point, streams: { ...point.streams, "@you": 1 } })).toBe("READY");
  });

  test("a READY is never earlier than what it contains, also when the clock was set back", async () => {
    const { bob, home } = stage;
    await heardOne();
    const { database } = house().running.house;
    // Dates the last event into the future.
    const ahead = Date.now() + 3_600_000;
    const row = await database.read
      .selectFrom("events")
      .selectAll()
      .where("stream", "=", serverStream(home.id))
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const frame = row.frame.replace(/"ts":"[^"]*"/, `"ts":"${new Date(ahead).toISOString()}"`);
    await database.transaction((db) =>
      db
        .updateTable("events")
        .set({ frame, created_at: ahead })
        .where("stream", "=", serverStream(home.id))
        .where("seq", "=", row.seq)
        .execute(),
    );
    const ear = await bob.listen();
    expect(Date.parse(ear.heard("READY")[0]?.ts ?? "")).toBeGreaterThanOrEqual(ahead);
    expect(await answerTo(bob, ear.resumePoint)).toBe("RESUMED");
  });
});
