// Long frames of many sockets at once: others get turns between them, and each socket's frames are handled in order.
import { expect, spyOn, test } from "bun:test";
import { Reading } from "../../server/gateway/reading.ts";
import { Socket } from "../../server/gateway/socket.ts";
import { wireWith } from "../house/machine/wire.ts";
import { onOneProcess } from "../house/open/engines.ts";
import { RawSocket } from "./raw-socket.ts";

const long = "x".repeat(60_000);

onOneProcess("long frames", (house) => {
  test("of twenty sockets are read in as many turns of the event loop", async () => {
    const alice = await house().person("alice");
    const sockets = await Promise.all(Array.from({ length: 20 }, () => RawSocket.open(house().url)));
    const parse = JSON.parse;
    const byTurn = new Map<number, number>();
    let turn = 0;
    let next = setImmediate(function count() {
      turn++;
      next = setImmediate(count);
    });
    const spy = spyOn(JSON, "parse").mockImplementation((text, ...more) => {
      if (text.length > long.length) byTurn.set(turn, (byTurn.get(turn) ?? 0) + 1);
      return parse(text, ...more);
    });
    try {
      for (const socket of sockets) socket.say("AUTH", { token: alice.token, resume: { epoch: long } });
      await Promise.all(sockets.map((socket) => socket.until((texts) => texts.length > 0)));
    } finally {
      clearImmediate(next);
      spy.mockRestore();
    }
    expect([...byTurn.values()]).toEqual(Array.from({ length: 20 }, () => 1));
    for (const socket of sockets) socket.wire.destroy();
  });

  test("and short ones behind them are answered in their order", async () => {
    const alice = await house().person("alice");
    const socket = await RawSocket.open(house().url);
    socket.say("AUTH", { token: alice.token });
    socket.say("NOTHING", { long });
    socket.say("PING");
    socket.say("NOTHING", { long });
    socket.say("PING");
    await socket.until((texts) => texts.length >= 5);
    const types = socket.texts.map((text) => (JSON.parse(text) as { type: string }).type);
    expect(types).toEqual(["READY", "ERROR", "PONG", "ERROR", "PONG"]);
    socket.wire.destroy();
  });
});

test("of long frames no more wait than are read in a moment; short ones are taken all the same", async () => {
  const reading = new Reading();
  const socket = new Socket(undefined, "127.0.0.1");
  socket.wire = wireWith({});
  const frame = JSON.stringify({ type: "NOTHING", data: long });
  const waiting: unknown[] = [];
  while (reading.hasRoomFor(frame)) waiting.push(reading.read(socket, frame));
  expect(waiting.length * frame.length).toBeWithin(15 * 1024 * 1024, 16 * 1024 * 1024 + 1);
  expect(reading.hasRoomFor("{}")).toBe(true);
  // Frames of a closed socket are not read.
  socket.wire = undefined;
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
  expect(reading.hasRoomFor(frame)).toBe(true);
});
