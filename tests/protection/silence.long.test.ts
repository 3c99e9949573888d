// Connections that send nothing, or hardly anything: each is closed after a timeout, so that they cannot pile up.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { RawSocket } from "../gateway/raw-socket.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { request } from "./raw.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
});
afterAll(() => house.end());

/** Sends `first`, then a byte of `dribble` each second; returns what was received until the server closed, and when. */
function lingerUntilClosed(first: string, dribble = ""): Promise<{ text: string; seconds: number }> {
  const { hostname, port } = new URL(house.url);
  return new Promise((resolve) => {
    const started = performance.now();
    const socket = connect(Number(port), hostname);
    let text = "";
    let at = 0;
    socket.write(first);
    const drip = setInterval(() => at < dribble.length && socket.write(dribble[at++] ?? ""), 1000);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(drip);
      resolve({ text, seconds: (performance.now() - started) / 1000 });
    });
  });
}

/** Signs in and sends nothing more, not even a pong. Returns after how many seconds the server closed the socket. */
async function fallSilent(token: string): Promise<number> {
  const socket = await RawSocket.open(house.url);
  socket.answersPings = false;
  const started = performance.now();
  socket.say("AUTH", { token });
  await socket.until((texts) => texts.length > 0);
  await socket.closed(170_000);
  return (performance.now() - started) / 1000;
}

const json = ["Content-Type: application/json", "Content-Length: 1000"];

test("header lines, bodies and sockets that stay silent or dribble are let go", async () => {
  const { token } = await house.person("ada");
  const bearer = `Authorization: Bearer ${token}`;
  const handshake = request("GET", "/ws", [
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ]);
  const [header, body, stranger, member] = await Promise.all([
    lingerUntilClosed("GET /healthz HTTP/1.1\r\nHost: hearth.example\r\nX-Slow: ", "a".repeat(100)),
    lingerUntilClosed(request("POST", "/api/v1/servers", [bearer, ...json], "{"), " ".repeat(100)),
    lingerUntilClosed(handshake),
    fallSilent(token),
  ]);
  expect(header.text).not.toContain("200 OK");
  expect(body.text).toContain("malformed_json");
  expect(stranger.text).toContain("101 Switching Protocols");
  expect(member).toBeGreaterThan(70);
});
