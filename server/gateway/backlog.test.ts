// The backlog of all slow readers together: when the gateway checks it, and which sockets it closes.
import { expect, test } from "bun:test";
import { Backlog } from "./backlog.ts";
import { handedOver, Socket } from "./socket.ts";

const mib = 1024 * 1024;

/** Sockets with so many bytes waiting for each; `closed` holds the indexes of those that were cut off. */
function socketsWith(waiting: readonly number[]) {
  const closed: number[] = [];
  const sockets = waiting.map((bytes, i) => {
    const socket = new Socket(undefined, "127.0.0.1");
    socket.wire = {
      send: (frame) => frame.length,
      close() {},
      subscribe() {},
      unsubscribe() {},
      cork: (send) => send(),
      getBufferedAmount: () => bytes,
      terminate: () => closed.push(i),
    };
    return socket;
  });
  return { sockets, closed };
}

test("the memory counts that buffers take as they grow: the fullest go, until the rest fits", () => {
  const { sockets, closed } = socketsWith([0.5 * mib, 2 * mib, 1 * mib, 1 * mib]);
  new Backlog(8 * mib).relieve(sockets);
  expect(closed).toEqual([]);
  new Backlog(6 * mib).relieve(sockets);
  expect(closed).toEqual([1]);
});

test("it is looked at before letters of three bytes could have filled it", () => {
  const backlog = new Backlog(9 * mib);
  expect(backlog.isDue).toBe(false);
  handedOver.characters += 2 * mib + 1;
  expect(backlog.isDue).toBe(true);
});
