// A client's connection to misbehaving gateways and pages: it ends when told to, and leaves no timer.
import { afterEach, expect, test } from "bun:test";
import { Chat } from "../../client/chat.ts";
import { Connection, type ConnectionOptions } from "../../client/connection.ts";
import { withBlocked, withWindow } from "../../client/copy.ts";
import { Position } from "../../client/position.ts";
import { closeCode } from "../../protocol/closing.ts";
import { resumeStreamsMax, type ServerFrame } from "../../protocol/frames.ts";
import { until } from "../house/machine/waiting.ts";
import { HandClock } from "./hand-clock.ts";
import { idOf, message, scene, sceneServers } from "./scene.ts";

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

/** Starts a gateway that answers AUTH with these frames, and a connection to it. */
function odd(frames: readonly ServerFrame[], options: Partial<ConnectionOptions> = {}) {
  const clock = new HandClock();
  const seen = { opened: 0, closed: 0, pings: 0 };
  const sockets = new Set<{ send(text: string): unknown; close(code: number): void }>();
  const server = Bun.serve({
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      open(socket) {
        seen.opened++;
        sockets.add(socket);
      },
      close: () => void seen.closed++,
      message(socket, text) {
        if (String(text).includes("AUTH")) for (const frame of frames) socket.send(JSON.stringify(frame));
        else seen.pings++;
      },
    },
  });
  const url = `ws://127.0.0.1:${server.port}/ws`;
  const connection = new Connection({
    url,
    later: clock.later,
    onFrame() {},
    ...options,
  });
  closing.push(
    () => connection.stop(),
    () => void server.stop(true),
  );
  const tell = (frame: ServerFrame) => {
    for (const socket of sockets) socket.send(JSON.stringify(frame));
  };
  const end = (code: number) => {
    for (const socket of sockets) socket.close(code);
  };
  return { clock, seen, connection, url, tell, end };
}

/** A page's chat with such a gateway, for the person of the scene, once READY is there. */
async function oddChat() {
  const { user } = scene();
  const data = { ...readyData, user, servers: sceneServers(), heartbeat_interval_ms: 30_000 };
  const { url, tell, end } = odd([{ ...ready, data }]);
  const chat = new Chat({ url, soon: (run) => run() });
  closing.unshift(() => chat.connection.stop());
  chat.connection.start();
  await until(() => chat.state.generation === 1 && chat.state.connection.is === "live", "READY did not come");
  const again = async (user: object) => {
    const { generation } = chat.state;
    tell({ ...ready, data: { ...data, user } });
    await until(() => chat.state.generation > generation, "READY did not come again");
  };
  return { chat, user, again, end };
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
  const states: string[] = [];
  const { clock, seen, connection } = odd([ready], { onState: ({ is }) => states.push(is) });
  connection.start();
  await until(() => connection.state.is === "live", "it is not live");
  for (let i = 0; i < 5; i++) {
    connection.tryNow();
    clock.turn(2000);
  }
  // The delay before the next try is random: it may have begun by now.
  expect(states.slice(0, 3)).toEqual(["connecting", "live", "waiting"]);
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

test("what comes before READY puts off the end of the wait for it, which silence ends after a minute", async () => {
  const heard: ServerFrame[] = [];
  const live = { type: "PRESENCE_UPDATE", data: {}, ts: ready.ts };
  const { clock, connection } = odd([live], { onFrame: (frame) => heard.push(frame) });
  connection.start();
  await until(() => heard.length === 1, "nothing came");
  clock.turn(60_000);
  expect(connection.state.is).toBe("connecting");
  clock.turn(60_000);
  expect(connection.state.is).toBe("waiting");
});

test("a PING follows READY after the time that READY says", async () => {
  const { clock, seen, connection } = odd([
    { ...ready, data: { ...readyData, heartbeat_interval_ms: 5000 } },
  ]);
  connection.start();
  await until(() => connection.state.is === "live", "it is not live");
  clock.turn(5000);
  await until(() => seen.pings > 0, "no PING came");
  expect(seen.pings).toBe(1);
  // Starting a live connection again does nothing.
  connection.start();
  expect([connection.state.is, seen.opened]).toEqual(["live", 1]);
});

test("by its code a close ends the connection, or it is tried again", async () => {
  const codes = [...new Set<number>(Object.values(closeCode).map(({ code }) => code)), 1011];
  const said: Record<number, string> = {};
  for (const code of codes) {
    const { connection, end } = odd([ready]);
    connection.start();
    await until(() => connection.state.is === "live", "it is not live");
    end(code);
    await until(() => connection.state.is !== "live", `${code} changes nothing`);
    const { state } = connection;
    said[code] = state.is === "ended" ? state.why : state.is;
    connection.stop();
  }
  const { notAuthenticated, notUnderstood, sessionEnded, replaced } = closeCode;
  expect(said).toEqual({
    ...Object.fromEntries(codes.map((code) => [code, "waiting"])),
    [notAuthenticated.code]: "not authenticated",
    [notUnderstood.code]: "not understood",
    [sessionEnded.code]: "signed out",
    [replaced.code]: "replaced",
  });
});

test("after a fresh READY the messages stay, as possibly old ones; of another person nothing stays", async () => {
  const { chat, user, again } = await oddChat();
  const live = { messages: [message("second", "carol", "general")], hasOlder: false };
  chat.change((copy) => withBlocked(withWindow(copy, idOf("general"), { live }), [idOf("carol")]));
  await again(user);
  expect(chat.state.copy?.windows.get(idOf("general"))).toEqual({ live, isStale: true });
  expect(chat.state.copy?.blocked).toEqual([idOf("carol")]);
  await again({ ...user, id: idOf("carol") });
  expect(chat.state.copy?.windows.size).toBe(0);
  expect(chat.state.copy?.blocked).toEqual([]);
});

test("whose session ended sees nothing of it any more, and nothing that was kept; the next AUTH begins anew", async () => {
  const { chat, end } = await oddChat();
  expect(chat.connection.position.resume?.streams).toHaveProperty(idOf("home"));
  expect(chat.begin(scene())).toBe(false);
  end(closeCode.sessionEnded.code);
  await until(() => chat.state.connection.is === "ended", "the session did not end");
  expect([chat.state.copy, chat.connection.position.resume]).toEqual([undefined, undefined]);
  expect(chat.begin(scene())).toBe(false);
});

test("what an earlier page kept is shown until READY is there, and not to somebody who is not let in", async () => {
  const { url, end, seen } = odd([]);
  const chat = new Chat({ url, soon: (run) => run() });
  closing.unshift(() => chat.connection.stop());
  expect([chat.begin(scene()), chat.state.generation]).toEqual([true, 0]);
  chat.connection.start();
  await until(() => seen.opened === 1, "nobody came");
  end(closeCode.notAuthenticated.code);
  await until(() => chat.state.connection.is === "ended", "it did not end");
  expect([chat.state.copy, chat.begin(scene())]).toEqual([undefined, false]);
});
