// A bounded socket delivers nothing of the piece that exceeds its bound, however fast pieces arrive.
import { expect, test } from "bun:test";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { CountedSocket } from "./counted-socket.ts";

const most = 100_000;

/** Returns how many bytes were delivered, and how the socket ended. */
async function heard(pieces: readonly number[]): Promise<[handedOn: number, end: string]> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    for (const piece of pieces) socket.write(Buffer.alloc(piece));
    socket.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = new CountedSocket(most);
  let handedOn = 0;
  let end = "ended";
  socket.on("data", (bytes) => {
    handedOn += bytes.length;
  });
  socket.on("error", (error) => {
    end = error.message;
  });
  const closed = new Promise((close) => socket.once("close", close));
  socket.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await closed;
  server.close();
  return [handedOn, end];
}

test("as many bytes as are granted are handed on", async () => {
  expect(await heard([most])).toEqual([most, "ended"]);
  expect(await heard([10, most - 10])).toEqual([most, "ended"]);
});

test("of the piece with the first byte too many nothing is handed on", async () => {
  for (const pieces of [[most + 1], [10 * most], Array(1000).fill(1000)]) {
    const [handedOn, end] = await heard(pieces);
    expect([handedOn <= most, end]).toEqual([true, "it says more than it was asked for"]);
  }
});
