// A person is active for a minute after a frame of theirs, on whichever socket; PING does not count.
import { expect, test } from "bun:test";
import { activeMs, SocketActivity } from "./activity.ts";
import { Socket } from "./socket.ts";

function open() {
  const sockets = new Map<string, Socket[]>();
  const activity = new SocketActivity(
    (userId) => sockets.get(userId) ?? [],
    () => false,
  );
  let time = 500_000;
  activity.now = () => time;
  const socketOf = (userId: string) => {
    const socket = new Socket(undefined, "127.0.0.1");
    sockets.set(userId, [...(sockets.get(userId) ?? []), socket]);
    return socket;
  };
  const active = async () => [...(await activity.activeAmong(["alice", "bob", "carol"]))];
  const pass = (ms: number) => {
    time += ms;
  };
  return { activity, sockets, socketOf, active, pass };
}

test("whoever said something is active for a minute, and not a moment longer", async () => {
  const { activity, socketOf, active, pass } = open();
  const [first, second] = [socketOf("alice"), socketOf("alice")];
  socketOf("bob");
  expect(await active()).toEqual([]);
  activity.note(first, { type: "AUTH" });
  expect(await active()).toEqual(["alice"]);
  pass(30_000);
  activity.note(second, { type: "TYPING_START" });
  pass(activeMs - 1);
  expect([activity.silentMs("alice"), activity.silentMs("nobody")]).toEqual([activeMs - 1, undefined]);
  expect(await active()).toEqual(["alice"]);
  pass(1);
  expect(await active()).toEqual([]);
});

test("PING keeps nobody active; a frame that is refused does, and a closed socket is none", async () => {
  const { activity, sockets, socketOf, active, pass } = open();
  const socket = socketOf("carol");
  activity.note(socket, { type: "AUTH" });
  pass(45_000);
  activity.note(socket, { type: "PING" });
  pass(15_000);
  expect(await active()).toEqual([]);
  activity.note(socket, { type: "" });
  expect(await active()).toEqual(["carol"]);
  sockets.delete("carol");
  expect(await active()).toEqual([]);
});
