// A client's resume position: for each stream the number and time of its last event.
import { expect, test } from "bun:test";
import { Position } from "../../client/position.ts";
import { resumeStreamsMax, type ServerFrame } from "../../protocol/frames.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)).toISOString();

function ready(servers: readonly { id: string; seq: number }[], personal?: { seq: number }): ServerFrame {
  const data = { user: { id: "bob" }, epoch: "log", heartbeat_interval_ms: 30_000, servers };
  return { type: "READY", data: { ...data, ...(personal && { personal }) }, ts: at(0) };
}

function post(server_id: string, seq: number, ts = at(seq)): ServerFrame {
  return { type: "MESSAGE_CREATE", data: {}, server_id, seq, ts };
}

test("before READY there is nowhere to go on from", () => {
  expect(new Position().resume).toBeUndefined();
});

test("each server goes on from its last event, and from READY where none came", () => {
  const position = new Position();
  position.heard(
    ready([
      { id: "home", seq: 7 },
      { id: "club", seq: 1 },
    ]),
  );
  expect(position.heard(post("home", 8))).toBe(true);
  // Numbers skip events that this person may not see.
  expect(position.heard(post("home", 11))).toBe(true);
  expect(position.resume).toEqual({
    epoch: "log",
    streams: { home: 11, club: 1 },
    seen: { home: at(11), club: at(0) },
  });
});

test("what was heard before, and what comes of a server that one left, is no news", () => {
  const position = new Position();
  position.heard(ready([{ id: "home", seq: 7 }]));
  expect(position.heard(post("home", 7))).toBe(false);
  expect(position.heard(post("elsewhere", 1))).toBe(false);
  const removed = { type: "SERVER_MEMBER_REMOVE", server_id: "home", ts: at(8) };
  expect(position.heard({ ...removed, data: { user_id: "eve", reason: "left" }, seq: 8 })).toBe(true);
  expect(position.heard({ ...removed, data: { user_id: "bob", reason: "kicked" }, seq: 9 })).toBe(true);
  expect(position.heard(post("home", 10))).toBe(false);
  expect(position.resume?.streams).toEqual({});
});

test("a server that one comes into is gone on with from what it was brought with, until it is deleted", () => {
  const position = new Position();
  position.heard(ready([]));
  position.heard({ type: "SERVER_CREATE", data: { id: "club", seq: 41 }, server_id: "club", ts: at(3) });
  expect(position.resume).toMatchObject({ streams: { club: 41 }, seen: { club: at(3) } });
  expect(position.heard(post("club", 42))).toBe(true);
  position.heard({ type: "SERVER_DELETE", data: { id: "club" }, server_id: "club", seq: 43, ts: at(43) });
  expect(position.resume?.streams).toEqual({});
});

test("one's own stream is gone on with where the server has one, and is not named where it has none", () => {
  const position = new Position();
  position.heard(ready([{ id: "home", seq: 7 }], { seq: 3 }));
  const blocked: ServerFrame = { type: "BLOCKS_UPDATE", data: {}, stream: "@me", seq: 4, ts: at(4) };
  expect([position.heard(blocked), position.heard(blocked)]).toEqual([true, false]);
  expect(position.resume).toMatchObject({ streams: { home: 7, "@me": 4 }, seen: { "@me": at(4) } });
  position.heard(ready([{ id: "home", seq: 7 }]));
  expect(position.resume?.streams).toEqual({ home: 7 });
});

test("what is live has no number, and moves nothing", () => {
  const position = new Position();
  position.heard(ready([{ id: "home", seq: 7 }]));
  expect(position.heard({ type: "TYPING_START", data: {}, server_id: "home", ts: at(9) })).toBe(true);
  expect(position.resume?.seen).toEqual({ home: at(0) });
});

test("who is in more servers than a client may name begins anew", () => {
  const position = new Position();
  const servers = Array.from({ length: resumeStreamsMax + 1 }, (_, i) => ({ id: `server-${i}`, seq: i }));
  position.heard(ready(servers));
  expect(position.resume).toBeUndefined();
});
