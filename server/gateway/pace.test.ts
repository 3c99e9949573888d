// When a reader is too slow: judged by what it takes, not by how much waits.
import { describe, expect, test } from "bun:test";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { isTooSlow, roomFor, tookSome } from "./pace.ts";
import { Socket } from "./socket.ts";

/** A socket with this many bytes buffered. */
function socketWith(bytes: number) {
  const way = { bytes };
  const socket = new Socket(undefined, "127.0.0.1");
  socket.wire = wireWith({ getBufferedAmount: () => way.bytes });
  return { socket, way };
}

/** The seconds, among those of the checks, at which the socket is too slow. */
function tooSlowAt(socket: Socket, seconds: readonly number[]): number[] {
  return seconds.filter((second) => isTooSlow(socket, 1_000_000 + second * 1000));
}

describe("a reader", () => {
  test("who takes nothing for more than five seconds is too slow", () => {
    expect(tooSlowAt(socketWith(10).socket, [0, 2.5, 5, 7.5])).toEqual([7.5]);
  });

  test("for whom nothing waits never is", () => {
    expect(tooSlowAt(socketWith(0).socket, [0, 100])).toEqual([]);
  });

  test("who takes some now and then is not", () => {
    const { socket } = socketWith(10);
    for (const second of [0, 4, 8, 12, 16]) {
      expect(tooSlowAt(socket, [second, second + 3])).toEqual([]);
      tookSome(socket);
    }
    expect(tooSlowAt(socket, [20, 24, 26])).toEqual([26]);
  });

  test("of something long has fifteen seconds, until all of it is taken", async () => {
    const { socket, way } = socketWith(5_000_000);
    const room = roomFor(socket);
    expect(tooSlowAt(socket, [0, 7, 14, 16])).toEqual([16]);
    way.bytes = 1000;
    tookSome(socket);
    await room;
    expect(tooSlowAt(socket, [20, 30, 36])).toEqual([36]);
    way.bytes = 0;
    expect(tooSlowAt(socket, [40])).toEqual([]);
    way.bytes = 1000;
    expect(tooSlowAt(socket, [50, 56])).toEqual([56]);
  });
});
