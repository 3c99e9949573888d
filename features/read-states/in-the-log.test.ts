// The log keeps only the newest event of each marker, and resuming across the resulting gaps loses nothing.
import { beforeEach, expect, test } from "bun:test";
import { personStream } from "../../server/place.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import type { Ear, ResumePoint } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { cutLog } from "../../tests/house/scenes/event-log.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { stored } from "../../tests/house/scenes/read-states.ts";

const own = (ear: Ear) => ear.frames.filter(({ stream }) => stream === "@me");
const kindOf = (ear: Ear) => ear.frames.find(({ type }) => type === "READY" || type === "RESUMED")?.type;

function pointOf(ear: Ear): ResumePoint {
  const { epoch, streams, seen } = ear.resumePoint;
  const ready = ear.heard("READY")[0];
  const { seq } = (ear.ready as unknown as { personal: { seq: number } }).personal;
  const last = own(ear).at(-1);
  return {
    epoch,
    streams: { ...streams, "@me": last?.seq ?? seq },
    seen: { ...seen, "@me": last?.ts ?? ready?.ts ?? "" },
  };
}

onEachEngine("markers in the log", (house) => {
  const stage = homeForEach(house);
  // Events of the previous test's markers arrive within that test.
  beforeEach(() => stored(house()));

  /** Moves Bob's marker `times` times, storing each move. */
  async function readOneByOne(person: TestPerson, channelId: string, times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      const { id } = await stage.olga.say(channelId, `${i}`);
      await person.put(`/channels/${channelId}/read`, { message_id: id });
      await stored(house());
    }
  }

  const logged = (house: TestHouse, person: TestPerson) =>
    house.running.house.database.read
      .selectFrom("events")
      .select(["seq", "frame"])
      .where("stream", "=", personStream(person.id))
      .orderBy("seq")
      .execute();

  test("of a person and channel there is one, whatever is read", async () => {
    const { olga, bob, home } = stage;
    const before = (await logged(house(), bob)).filter(({ frame }) => frame.includes(home.general.id)).length;
    expect(before).toBe(0);
    const den = (await olga.post("/channels", { server_id: home.id, name: "den" })).body;
    await readOneByOne(bob, home.general.id, 6);
    await readOneByOne(bob, String(den.id), 3);
    const left = (await logged(house(), bob)).filter(({ frame }) => frame.includes("READ_STATE_UPDATE"));
    expect(left.filter(({ frame }) => frame.includes(home.general.id))).toHaveLength(1);
    expect(left.filter(({ frame }) => frame.includes(String(den.id)))).toHaveLength(1);
  });

  test("who listens hears each of them, numbered without a gap", async () => {
    const { bob, home } = stage;
    const ear = await bob.listen();
    const from = pointOf(ear).streams["@me"] ?? 0;
    await readOneByOne(bob, home.general.id, 5);
    await ear.settle();
    expect(own(ear).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5].map((i) => from + i));
  });

  test("who resumes across gaps gets what still counts, in order", async () => {
    const { bob, olga, home } = stage;
    const ear = await bob.listen();
    const point = pointOf(ear);
    ear.close();
    await readOneByOne(bob, home.general.id, 3);
    await bob.put(`/blocks/${olga.id}`);
    await bob.delete(`/blocks/${olga.id}`);
    await readOneByOne(bob, home.general.id, 3);
    const again = await bob.listen(point);
    expect(kindOf(again)).toBe("RESUMED");
    const from = point.streams["@me"] ?? 0;
    expect(own(again).map(({ type, seq }) => `${type} ${(seq ?? 0) - from}`)).toEqual([
      "BLOCKS_UPDATE 5",
      "READ_STATE_UPDATE 8",
    ]);
    await readOneByOne(bob, home.general.id, 1);
    expect((await again.next("READ_STATE_UPDATE")).seq).toBe(from + 9);
  });

  test("whose last event was replaced meanwhile resumes, too; where the log was cut behind it, READY comes", async () => {
    const { bob, home } = stage;
    const ear = await bob.listen();
    await readOneByOne(bob, home.general.id, 2);
    await ear.next("READ_STATE_UPDATE");
    await ear.next("READ_STATE_UPDATE");
    const point = pointOf(ear);
    ear.close();
    await readOneByOne(bob, home.general.id, 3);
    const again = await bob.listen(point);
    expect([kindOf(again), own(again).length]).toEqual(["RESUMED", 1]);
    again.close();
    await cutLog(house(), personStream(bob.id), (point.streams["@me"] ?? 0) + 1);
    expect(kindOf(await bob.listen(point))).toBe("READY");
  });

  test("a client that knows no personal stream resumes as before", async () => {
    const { bob, olga, home } = stage;
    const ear = await bob.listen();
    const { "@me": _, ...streams } = pointOf(ear).streams;
    const point = { epoch: pointOf(ear).epoch, streams };
    ear.close();
    await readOneByOne(bob, home.general.id, 3);
    await olga.say(home.general.id, "missed");
    const again = await bob.listen(point);
    expect(kindOf(again)).toBe("RESUMED");
    expect(own(again)).toEqual([]);
    expect(again.heard("MESSAGE_CREATE")).toHaveLength(4);
  });
});
