// Endless bodies that the server does not read: the connection is closed after the answer. Shorter ones are drained.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { request, sayAll, sayRaw } from "./raw.ts";

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  await house.open();
  alice = await house.person("alice");
  // The page of the operations is built at the first request, which takes as long as many megabytes take to arrive.
  await fetch(`${house.url}/docs/`);
});
afterAll(() => house.end());

const megabyte = 1024 * 1024;

/** Sends a body until the server closes or 64 MiB are sent. Returns the status, and whether the server closed. */
function pour(head: string, isChunked: boolean): Promise<{ status: string; isClosed: boolean }> {
  const { hostname, port } = new URL(house.url);
  const data = "x".repeat(megabyte);
  const piece = isChunked ? `${megabyte.toString(16)}\r\n${data}\r\n` : data;
  return new Promise((resolve) => {
    let heard = "";
    let sentMB = 0;
    const socket = connect(Number(port), hostname, () => socket.write(head));
    const more = () => {
      if (sentMB++ === 64) return finish(false);
      socket.write(piece, () => setTimeout(more, 1));
    };
    const finish = (isClosed: boolean) => {
      socket.destroy();
      resolve({ status: /^HTTP\/1.1 (\d+)/.exec(heard)?.[1] ?? "", isClosed });
    };
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
    socket.once("connect", more);
  });
}

const endless = {
  "of no stated length": "Transfer-Encoding: chunked",
  "of a length beyond any upload": `Content-Length: ${1 << 30}`,
};

for (const [title, line] of Object.entries(endless)) {
  test(`a body ${title} is not read on for ever, wherever it goes`, async () => {
    const bearer = `Authorization: Bearer ${alice.token}`;
    const calls: [string, string, string[]][] = [
      ["404", "/api/v1/nothing", []],
      ["405", "/healthz", []],
      ["401", "/api/v1/servers", []],
      ["413", "/api/v1/servers", [bearer]],
      ["401", "/api/v1/voice/webhook", ["Authorization: x"]],
      ["404", `/webhooks/${alice.id}/hw_${"x".repeat(43)}`, []],
    ];
    for (const path of ["/healthz", "/docs/", "/api/v1/instance"]) calls.push(["200", path, []]);
    for (const [status, path, lines] of calls) {
      const method = status === "200" ? "GET" : "POST";
      const poured = await pour(request(method, path, [line, ...lines]), line.includes("chunked"));
      expect({ path, isClosed: poured.isClosed }).toEqual({ path, isClosed: true });
      // A client that is still sending when the connection ends may not get the answer.
      expect([status, ""]).toContain(poured.status);
    }
  });
}

test("who sends an upload without a session hears why, and can go on over the same connection", async () => {
  const size = 2 * megabyte;
  const upload = request("POST", "/api/v1/upload", [`Content-Length: ${size}`], "x".repeat(size));
  const answer = await sayAll(house.url, 2, [upload, request("GET", "/healthz")]);
  expect([answer.status, answer.text.endsWith("alive\n")]).toEqual([401, true]);
});

test("a body in pieces that is read leaves the connection open", async () => {
  const lines = [`Authorization: Bearer ${alice.token}`, "Transfer-Encoding: chunked"];
  const pieces = '9\r\n{"bio":"a\r\n2\r\n"}\r\n0\r\n\r\n';
  const answer = await sayRaw(house.url, request("PATCH", "/api/v1/auth/me", lines, pieces));
  // Only the header is checked: the runtime closes a connection on which more data arrives before the answer is there.
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, null]);
});
