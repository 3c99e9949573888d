// Many sockets that resume from far back: other work has its turns, and each socket gets everything, once and in order.

import { expect, test } from "bun:test";
import { z } from "zod";
import { event, kind } from "../../protocol/event.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { cutLog } from "../../tests/house/scenes/event-log.ts";
import type { House } from "../house/house.ts";
import { headOf } from "../house/log-table.ts";
import { serverPlace, serverStream } from "../place.ts";
import { Gateway } from "./gateway.ts";
import { tookSome } from "./pace.ts";
import { Socket } from "./socket.ts";

const said = event(kind<{ what: string }>("SAID"), {
  summary: "Something was said",
  data: z.object({ what: z.string() }),
  happensIn: "server",
});

interface Line {
  frames: string[];
  /** The close codes that the line was closed with. */
  codes: number[];
  says(type: string, data: unknown): Promise<void>;
  /** The reader takes a byte, so that it does not count as stalled. */
  takeSome(): void;
  /** The reader takes everything from now on. */
  take(): void;
}

/** A connection whose reader takes everything, or nothing until told to. */
function lineAt(gateway: Gateway, isTaken = true): Line {
  const frames: string[] = [];
  const codes: number[] = [];
  const socket = new Socket(undefined, "127.0.0.1");
  let waiting = 0;
  gateway.opened(
    socket,
    wireWith({
      send: (frame) => {
        if (!isTaken) waiting += frame.length;
        return frames.push(frame);
      },
      close: (code) => void codes.push(code),
      getBufferedAmount: () => waiting,
    }),
  );
  return {
    frames,
    codes,
    says: (type, data) => gateway.received(socket, JSON.stringify({ type, data })),
    takeSome: () => tookSome(socket),
    take() {
      isTaken = true;
      waiting = 0;
      gateway.drained(socket);
    },
  };
}

const missed = 3000;
const others = 40;

/** Alice and Bob in a server with many events, and in many more with a few each. */
async function longAgo(house: TestHouse) {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const { house: running } = house.running;
  const ids = await fillServers(running, 1 + others, [alice, bob]);
  const { resumePoint } = await alice.listen();
  for (const [i, id] of ids.entries()) await lengthen(running, id, i === 0 ? missed : 3);
  return { alice, bob, home: ids[0]!, resumePoint, gateway: new Gateway(running, running.bus) };
}

/** Appends `count` events to a server's log, half of them for members who see its channels. */
async function lengthen({ database }: House, server_id: string, count: number): Promise<void> {
  await database.transaction(async (db) => {
    const stream = serverStream(server_id);
    const { seq } = await headOf(db, stream);
    const rows = Array.from({ length: count }, (_, i) => ({
      stream,
      seq: seq + 1 + i,
      audience: i % 2 === 0 ? "viewers" : "members",
      touches: "",
      ends: null,
      frame: JSON.stringify({ type: "NEWS", server_id, seq: seq + 1 + i, ts: new Date().toISOString() }),
      created_at: Date.now(),
    }));
    await database.insertRows(db, "events", rows, false);
    const last = { seq: seq + count };
    await db.updateTable("streams").set(last).where("stream", "=", stream).execute();
  });
}

const resume = (line: Line, { token }: TestPerson, point: unknown) =>
  line.says("AUTH", { token, resume: point });

function numbersOf({ frames }: Line, serverId: string): number[] {
  const heard = frames.map((text) => JSON.parse(text) as { server_id?: string; seq?: number });
  return heard.flatMap(({ server_id, seq }) => (server_id === serverId && seq !== undefined ? [seq] : []));
}

/** Watches how much is sent between two turns of other work; the returned function stops, and returns the maximum. */
function watch(lines: readonly Line[]): () => number {
  const sent = () => lines.reduce((sum, { frames }) => sum + frames.length, 0);
  let most = 0;
  let before = sent();
  let isOver = false;
  const look = () => {
    most = Math.max(most, sent() - before);
    before = sent();
    if (!isOver) setImmediate(look);
  };
  look();
  return () => {
    isOver = true;
    return Math.max(most, sent() - before);
  };
}

onEachEngine("many long replays", (house) => {
  test("go in pieces, however many of how many people, and each is whole", async () => {
    const { alice, bob, resumePoint, gateway } = await longAgo(house());
    const people = [alice, bob];
    const lines = Array.from({ length: 12 }, () => lineAt(gateway));
    const mostInOneTurn = watch(lines);
    await Promise.all(lines.map((line, i) => resume(line, people[i % 2] as TestPerson, resumePoint)));
    expect(mostInOneTurn()).toBeLessThanOrEqual(1500);
    for (const line of lines) {
      const resumed = line.frames.findIndex((text) => JSON.parse(text).type === "RESUMED");
      expect(JSON.parse(line.frames[resumed] ?? "").data).toEqual({ replayed: missed + 3 * others });
      expect(line.frames.slice(0, resumed)).toEqual(lines[0]?.frames.slice(0, resumed) ?? []);
    }
    for (const [serverId, from] of Object.entries(resumePoint.streams)) {
      const numbers = numbersOf(lines[0] as Line, serverId);
      expect(numbers).toEqual(numbers.map((_, i) => from + 1 + i));
    }
    gateway.close("restart");
  });

  test("do not wait for one whose reader takes nothing, of the same person neither", async () => {
    const { alice, bob, resumePoint, gateway } = await longAgo(house());
    const stuck = lineAt(gateway, false);
    void resume(stuck, alice, resumePoint);
    await until(() => stuck.frames.length >= 1000, "it is not sent a page");
    for (const person of [alice, bob]) {
      const line = lineAt(gateway);
      await resume(line, person, resumePoint);
      expect(line.frames.map((text) => JSON.parse(text).type)).toContain("RESUMED");
    }
    expect(stuck.frames.length).toBeLessThan(missed);
    gateway.close("restart");
  });

  test("end with 1012 where the log was cut off before they came to it: what is missing is not passed over", async () => {
    const { alice, home, resumePoint, gateway } = await longAgo(house());
    const line = lineAt(gateway, false);
    const resuming = resume(line, alice, resumePoint);
    await until(() => line.frames.length >= 1000, "it is not sent a page");
    await cutLog(house(), serverStream(home), (resumePoint.streams[home] ?? 0) + missed - 1);
    line.take();
    await resuming;
    expect(line.codes).toEqual([1012]);
    expect(line.frames.map((text) => JSON.parse(text).type)).not.toContain("RESUMED");
    expect(numbersOf(line, home)).not.toContain((resumePoint.streams[home] ?? 0) + missed);
    gateway.close("restart");
  });

  test("give others their turn also with what came in meanwhile, and tell it in order", async () => {
    const { alice, home, resumePoint, gateway } = await longAgo(house());
    const line = lineAt(gateway, false);
    const resuming = resume(line, alice, resumePoint);
    await until(() => line.frames.length >= 1000, "it is not sent a page");
    for (let i = 0; i < 20; i++) {
      await house().running.house.write(async (unit) => {
        for (let n = 0; n < 100; n++) unit.emit(said, serverPlace(home), { what: `${i} ${n}` });
      });
      line.takeSome();
    }
    const mostInOneTurn = watch([line]);
    line.take();
    await resuming;
    expect(mostInOneTurn()).toBeLessThanOrEqual(1500);
    const resumed = line.frames.map((text) => JSON.parse(text)).find(({ type }) => type === "RESUMED");
    expect(resumed.data).toEqual({ replayed: missed + 3 * others + 2000 });
    const from = resumePoint.streams[home] ?? 0;
    expect(numbersOf(line, home)).toEqual(Array.from({ length: missed + 2000 }, (_, i) => from + 1 + i));
    gateway.close("restart");
  });
});
