// A long replay: paced for its reader, complete, without gaps or duplicates while others keep posting.

import { expect, test } from "bun:test";
import { serverStream } from "../../server/place.ts";
import { makeHouse, onEachEngine, type TestHouse } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import type { HeardFrame } from "../house/people/heard.ts";
import type { TestPerson } from "../house/people/people.ts";
import { cutLog } from "../house/scenes/event-log.ts";
import { RawSocket } from "./raw-socket.ts";

/** Posts a hundred at a time, so that they share commits. */
async function sayMany(person: TestPerson, channelId: string, count: number, text: (i: number) => string) {
  for (let i = 0; i < count; i += 100) {
    const some = Array.from({ length: Math.min(100, count - i) }, (_, n) =>
      person.say(channelId, text(i + n)),
    );
    await Promise.all(some);
  }
}

async function cutOff(house: TestHouse) {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
  const ear = await bob.listen();
  ear.close();
  await ear.closed;
  return { alice, bob, home, point: ear.resumePoint, from: ear.resumePoint.streams[home.id] ?? 0 };
}

function numbers(frames: readonly HeardFrame[]): number[] {
  return frames.flatMap((frame) => (frame.seq === undefined ? [] : [frame.seq]));
}

onEachEngine("long replays", (house) => {
  test("three thousand events arrive whole and in order", async () => {
    const { alice, bob, home, point, from } = await cutOff(house());
    await sayMany(alice, home.general.id, 3000, (i) => `message ${i}`);
    const ear = await bob.listen(point);
    expect(ear.heard("RESUMED").map(({ data }) => Number(data.replayed))).toEqual([3000]);
    expect(numbers(ear.frames)).toEqual(Array.from({ length: 3000 }, (_, i) => from + 1 + i));
    expect(new Set(ear.heard("MESSAGE_CREATE").map(({ data }) => String(data.id))).size).toBe(3000);
  });

  test("long messages, many megabytes, do not trip the limit for slow sockets", async () => {
    await replayManyMegabytes(house(), 1200, () => {});
  });

  test("who resumes again and again while others post at full speed misses nothing and hears nothing twice", async () => {
    const { alice, bob, home, from } = await cutOff(house());
    let talking = true;
    const talkers = Array.from({ length: 8 }, async (_, i) => {
      for (let n = 0; talking; n++) await alice.say(home.general.id, `${i}.${n}`);
    });
    const heard: number[] = [];
    let epoch = "";
    let at = from;
    for (let round = 0; round < 25; round++) {
      const ear = await (epoch === ""
        ? bob.listen()
        : Ear.open(house().url, bob.token, { epoch, streams: { [home.id]: at } }));
      if (epoch === "") {
        ({ epoch } = ear.resumePoint);
        at = ear.resumePoint.streams[home.id] ?? 0;
        heard.length = 0;
        const [server] = ear.ready.servers as unknown as { seq: number }[];
        at = server?.seq ?? 0;
        heard.push(at);
      } else expect(ear.heard("READY")).toEqual([]);
      await ear.next("MESSAGE_CREATE");
      // Without a close frame, and with frames lost on the way, as on a broken network.
      ear.socket.terminate();
      await ear.closed;
      heard.push(...numbers(ear.frames));
      at = heard.at(-1) ?? at;
    }
    talking = false;
    await Promise.all(talkers);
    const ear = await Ear.open(house().url, bob.token, { epoch, streams: { [home.id]: at } });
    heard.push(...numbers(ear.frames));
    expect(heard).toEqual(Array.from({ length: heard.length }, (_, i) => (heard[0] ?? 0) + i));
    const fresh = (await bob.listen()).ready.servers as unknown as { id: string; seq: number }[];
    expect(heard.at(-1)).toBe(fresh[0]?.seq);
  });

  test("who connects anew while others post at full speed hears from READY's number on, without a hole", async () => {
    const { alice, bob, home } = await cutOff(house());
    let talking = true;
    const talkers = Array.from({ length: 8 }, async () => {
      while (talking) await alice.say(home.general.id, "blah");
    });
    for (let round = 0; round < 15; round++) {
      const ear = await bob.listen();
      for (let i = 0; i < 5; i++) await ear.next("MESSAGE_CREATE");
      const [server] = ear.ready.servers as unknown as { seq: number }[];
      const seqs = numbers(ear.frames);
      expect(seqs).toEqual(seqs.map((_, i) => (server?.seq ?? 0) + 1 + i));
      ear.close();
    }
    talking = false;
    await Promise.all(talkers);
  });
});

test("a log that is cut while a slow reader takes its replay: 1012, never a hole and then RESUMED", async () => {
  const house = await makeHouse("SQLite", {});
  await house.open();
  try {
    const { alice, bob, home, point, from } = await cutOff(house);
    await sayMany(alice, home.general.id, 1200, () => "🦊".repeat(3900));
    const raw = await RawSocket.open(house.url);
    raw.say("AUTH", { token: bob.token, resume: point });
    await raw.until((texts) => texts.length > 0);
    raw.wire.pause();
    await cutLog(house, serverStream(home.id), from + 1100);
    raw.wire.resume();
    expect(await raw.closed()).toBe(1012);
    const heard = numbers(raw.texts.map((text) => JSON.parse(text) as HeardFrame));
    expect(heard).toEqual(heard.map((_, i) => from + 1 + i));
    expect(raw.texts.some((text) => text.startsWith('{"type":"RESUMED"'))).toBe(false);
    const again = await bob.listen({ epoch: point.epoch, streams: { [home.id]: heard.at(-1) ?? from } });
    expect(again.frames[0]?.type).toBe("READY");
  } finally {
    await house.end();
  }
});

test("a reader who takes its time, longer than anything may wait for a slow one, gets a long replay whole", async () => {
  const house = await makeHouse("SQLite", {});
  await house.open();
  try {
    await replayManyMegabytes(house, 900, (raw) => raw.readInBursts(1_200_000, 1_100));
  } finally {
    await house.end();
  }
});

async function replayManyMegabytes(house: TestHouse, count: number, prepare: (raw: RawSocket) => void) {
  const { alice, bob, home, point, from } = await cutOff(house);
  await sayMany(alice, home.general.id, count, () => "🦊".repeat(3900));
  const raw = await RawSocket.open(house.url);
  prepare(raw);
  raw.say("AUTH", { token: bob.token, resume: point });
  await raw.until((texts) => texts.some((text) => text.startsWith('{"type":"RESUMED"')));
  const frames = raw.texts.map((text) => JSON.parse(text) as HeardFrame);
  expect(frames.filter(({ type }) => type === "RESUMED").map(({ data }) => Number(data.replayed))).toEqual([
    count,
  ]);
  expect(numbers(frames)).toEqual(Array.from({ length: count }, (_, i) => from + 1 + i));
  raw.end();
}
