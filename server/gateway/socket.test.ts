// How a socket ends: with a close frame, unless so much is buffered that it would not arrive.
import { expect, test } from "bun:test";
import { Socket } from "./socket.ts";

/** A socket with this many bytes buffered, and a record of how it ended. */
function socketWith(bytes: number) {
  const ends: string[] = [];
  const socket = new Socket(undefined, "127.0.0.1");
  socket.wire = {
    send: (frame) => frame.length,
    close: (code) => ends.push(`closed with ${code}`),
    subscribe() {},
    unsubscribe() {},
    cork: (send) => send(),
    getBufferedAmount: () => bytes,
    terminate: () => ends.push("cut off"),
  };
  return { socket, ends };
}

test("whoever keeps up is told why, even in the middle of something", () => {
  const { socket, ends } = socketWith(100_000);
  socket.end("sessionEnded");
  expect(ends).toEqual(["closed with 4010"]);
});

test("whoever is to come back is told so, however far behind", () => {
  const { socket, ends } = socketWith(900_000);
  socket.end("restart");
  expect(ends).toEqual(["closed with 1012"]);
});

test("whoever is far behind is cut off: what they have not taken does not wait for them to take it", () => {
  const { socket, ends } = socketWith(900_000);
  socket.end("tooSlow");
  expect(ends).toEqual(["cut off"]);
});
