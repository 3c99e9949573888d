// Sending the events of a shared commit: one share per turn of the event loop, and servers take turns.

import { expect, test } from "bun:test";
import type { LoggedEvent } from "../bus/bus.ts";
import { nextTurn } from "../house/pieces.ts";
import { serverStream } from "../place.ts";
import { FanOutShare } from "./fan-out-share.ts";
import { Stream } from "./stream.ts";

/** A quarter of a share when there are no listeners, so that only its own length counts. */
const long = "x".repeat(1024 * 1024);

function event(serverId: string, seq: number): LoggedEvent {
  const news = {
    stream: serverStream(serverId),
    seq,
    frame: long,
    audience: "members",
    forgets: [],
    version: undefined,
    touches: [],
  } as const;
  return { kind: "logged", ...news, ends: null };
}

/** Streams of these servers with a common share; `told` lists their events in the order in which they went out. */
async function streamsOf(serverIds: readonly string[]) {
  const told: string[] = [];
  const share = new FanOutShare();
  const streams = serverIds.map(
    (serverId) =>
      new Stream(serverStream(serverId), Promise.resolve(0), {
        share,
        publish: ({ seq }) => told.push(`${serverId}${seq}`),
        send() {},
        failed() {},
        concerned: () => [],
        settle: async () => {},
        went() {},
        passed() {},
        rested() {},
        read: async () => [],
      }),
  );
  await Promise.all(streams.map(({ ready }) => ready));
  return { streams, told };
}

test("what was written together goes out a share at a time, in order, with other work in between", async () => {
  const { streams, told } = await streamsOf(["a"]);
  for (let seq = 1; seq <= 10; seq++) streams[0]?.offer(event("a", seq));
  const seen = [told.length];
  while (told.length < 10) {
    await nextTurn();
    seen.push(told.length);
  }
  expect(seen).toEqual([4, 8, 10]);
  expect(told).toEqual(Array.from({ length: 10 }, (_, i) => `a${i + 1}`));
});

test("a server that has much to tell leaves the others their turn", async () => {
  const { streams, told } = await streamsOf(["a", "b", "c"]);
  for (let seq = 1; seq <= 20; seq++) streams[0]?.offer(event("a", seq));
  for (const [i, serverId] of [
    [1, "b"],
    [2, "c"],
  ] as const)
    for (let seq = 1; seq <= 2; seq++) streams[i]?.offer(event(serverId, seq));
  while (told.length < 24) await nextTurn();
  // One share of the first server's events went out at once, then one event of each server at a time.
  const few = ["b1", "b2", "c1", "c2"];
  expect(told.slice(0, 12).filter((name) => few.includes(name))).toEqual(["b1", "c1", "b2", "c2"]);
});
