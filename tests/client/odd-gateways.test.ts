// A client's connection to gateways and pages that do what none should: it ends when it is told to, and leaves no timer.
import { afterEach, expect, test } from "bun:test";
import { Connection, type ConnectionOptions } from "../../client/connection.ts";
import { Position } from "../../client/position.ts";
import { resumeStreamsMax, type ServerFrame } from "../../protocol/frames.ts";
import { until } from "../house/waiting.ts";
import { HandClock } from "./hand-clock.ts";

const readyData = { epoch: "e", user: { id: "u" }, servers: [], personal: { seq: 0 }, session_id: "s" };
const ready: ServerFrame = {
  type: "READY",
  ts: "2026-01-01T00:00:00.000Z",
  data: { ...readyData, heartbeat_interval_ms: 30_000 },
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A gateway that answers AUTH with these frames, and a connection to it. */
function odd(frames: readonly ServerFrame[], options: Partial<ConnectionOptions> = {}) {
  const clock = new HandClock();
  const seen = { opened: 0, closed: 0, pings: 0 };
  const server = Bun.serve({
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      open: () => void seen.opened++,
      close: () => void seen.closed++,
      message(socket, text) {
        if (String(text).includes("AUTH")) for (const frame of frames) socket.send(JSON.stringify(frame));
        else seen.pings++;
      },
    },
  });
  const connection = new Connection({
    url: `ws://127.0.0.1:${server.port}/ws`,
    later: clock.later,
    onFrame() {},
    ...options,
  });
  closing.push(
    () => connection.stop(),
    () => void server.stop(true),
  );
  return { clock, seen, connection };
}

test("READY twice leaves no timer behind when the connection is stopped", async () => {
  const heard: ServerFrame[] = [];
  const { clock, connection } = odd([ready, ready], { onFrame: (frame) => heard.push(frame) });
  connection.start();
  await until(() => heard.length === 2, "READY did not come twice");
  connection.stop();
  expect(clock.pending).toBe(0);
});

test("a READY that makes no sense is heard by nobody, and another one is asked for as after any lost connection", async () => {
  const nonsense = [null, "ready", {}, { user: {}, servers: [] }, { ...readyData, servers: [null] }];
  for (const data of [...nonsense, { ...readyData, servers: [{ id: "s", channels: [], roles: [] }] }]) {
    const heard: ServerFrame[] = [];
    const { clock, connection } = odd([{ ...ready, data }], { onFrame: (frame) => heard.push(frame) });
    connection.start();
    await until(() => connection.state.is === "waiting", `it does not wait: ${JSON.stringify(data)}`);
    clock.turn(2000);
    expect([connection.state.is, heard.length]).toEqual(["connecting", 0]);
    connection.stop();
  }
});

test("a page that stops the connection when it begins to connect has stopped it", async () => {
  const { clock, seen, connection } = odd([ready], {
    onState: ({ is }) => is === "connecting" && connection.stop(),
  });
  connection.start();
  expect(connection.state).toEqual({ is: "ended", why: "stopped" });
  expect([seen.opened, clock.pending]).toEqual([0, 0]);
});

test("probing again and again does not put off the moment at which silence is noticed", async () => {
  const { clock, seen, connection } = odd([ready]);
  connection.start();
  await until(() => connection.state.is === "live", "it is not live");
  for (let i = 0; i < 5; i++) {
    connection.tryNow();
    clock.turn(2000);
  }
  expect(connection.state.is).toBe("waiting");
  expect(seen.pings).toBeLessThanOrEqual(1);
});

test("a client in as many servers as a resume may name takes up again, its own stream besides", () => {
  const position = new Position();
  const servers = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `server ${i}`, seq: 1 }));
  const readyOf = (count: number) => ({ ...ready, data: { ...readyData, servers: servers(count) } });
  position.heard(readyOf(resumeStreamsMax));
  expect(Object.keys(position.resume?.streams ?? {})).toHaveLength(resumeStreamsMax + 1);
  position.heard(readyOf(resumeStreamsMax + 1));
  expect(position.resume).toBeUndefined();
});
