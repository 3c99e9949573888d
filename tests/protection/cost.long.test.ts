// T53c: the cost of an operation stays within bounds for any input. It is compared with a plain call of the same run,
// so the speed of the machine does not matter.
import { afterAll, beforeAll, describe, test } from "bun:test";
import type { Operation } from "../../protocol/operation.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { tellsProcessorTime } from "../house/machine/processor.ts";
import { TestPerson } from "../house/people/people.ts";
import { routes, titleOf } from "../routes/walk.ts";
import { dearestBodies, dearestHeaders, dearestPlaces, dearestQueries } from "./dearest.ts";
import { clear, fittingParameter, stock, type Things } from "./fitting.ts";
import { expectWithinBounds, Meter } from "./meter.ts";
import { request, sayRaw } from "./raw.ts";

let folder: TemporaryFolder;
let server: ServerProcess;
let alice: TestPerson;
let bob: TestPerson;
let things: Things;
let meter: Meter;
beforeAll(async () => {
  folder = temporaryFolder();
  const settings = { DATA_DIR: folder.path, LOG_LEVEL: "info", TRUSTED_PROXIES: "127.0.0.1" };
  server = await startServer({ settings });
  [alice, bob] = [await TestPerson.register(server, "alice"), await TestPerson.register(server, "bob")];
  meter = new Meter(server.pid, server.url);
  for (let i = 0; i < 200; i++) await alice.get("/auth/me");
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${alice.token}`, "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body }),
    redirect: "manual",
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Signs Alice in again if an operation has ended her session. */
async function signInAgain(): Promise<void> {
  if ((await alice.get("/auth/me")).status === 200) return;
  const login = { email: alice.username, password: alice.password };
  alice.token = (await alice.post("/auth/login/password", login)).headers.get("x-session-token") ?? "";
}

/** Uploads a file of Alice's and returns its path. */
async function uploaded(): Promise<string> {
  const form = new FormData();
  form.append("file", new File(["x".repeat(5000)], "notes.txt"));
  return (await alice.post<{ url: string }>("/upload", form)).body.url;
}

/** The path with a valid value for each placeholder, except for the `filled` one. */
function pathOf(operation: Operation, filled?: { place: number; value: string }): string {
  const parts = operation.path.split("/");
  return parts
    .map((part, place) => {
      if (!part.startsWith("{")) return part;
      if (filled?.place === place) return filled.value;
      return encodeURIComponent(fittingParameter(operation, place, things));
    })
    .join("/");
}

async function walk(operation: Operation): Promise<void> {
  const { method } = operation;
  const title = titleOf(operation);
  const body = operation.body ? "{}" : undefined;
  await meter.measurePlain(() => call("GET", "/auth/me"));
  for (const dear of dearestBodies(operation, things)) {
    await meter.measure(`${title} ${dear.title}`, () => call(method, pathOf(operation), dear.value));
  }
  for (const dear of dearestQueries(operation, things)) {
    const path = `${pathOf(operation)}?${dear.value}`;
    await meter.measure(`${title}?${dear.title}`, () => call(method, path, body));
  }
  for (const [place, part] of operation.path.split("/").entries()) {
    if (!part.startsWith("{")) continue;
    for (const { title: of, value } of dearestPlaces()) {
      const path = pathOf(operation, { place, value });
      await meter.measure(`${title} ${part} of ${of}`, () => call(method, path, body));
    }
  }
}

describe.skipIf(!tellsProcessorTime)("the dearest input", () => {
  test("of headers costs no more than a few milliseconds, with or without a session", async () => {
    things = await stock(alice, bob);
    const from = meter.costs.length;
    await meter.measurePlain(() => call("GET", "/auth/me"));
    const file = await uploaded();
    for (const { title, value } of dearestHeaders()) {
      for (const path of ["/auth/me", file, "/instance", "/nothing"]) {
        await meter.measure(`GET ${path} with ${title}`, () => call("GET", path, undefined, value));
      }
      for (const [method, path] of [
        ["POST", "/auth/login/password"],
        ["POST", "/servers"],
        ["POST", "/voice/webhook"],
      ]) {
        await meter.measure(`${method} ${path} with ${title}`, () =>
          call(`${method}`, `${path}`, "{}", value),
        );
      }
    }
    await clear(alice, things);
    expectWithinBounds(meter, from);
  });

  test("of addresses that lead nowhere costs no more than a few milliseconds", async () => {
    const from = meter.costs.length;
    await meter.measurePlain(() => call("GET", "/auth/me"));
    for (const { title, value } of dearestPlaces()) {
      for (const path of [
        value,
        `channels/${value}`,
        `${value}/`.repeat(2),
        "a/".repeat(6000),
        "webhooks/".repeat(1300),
      ]) {
        await meter.measure(`GET /${path.slice(0, 20)}… of ${title}`, () => call("GET", `/${path}`));
      }
    }
    expectWithinBounds(meter, from);
  });

  test("of a body that comes byte by byte costs no more than a few milliseconds", async () => {
    const from = meter.costs.length;
    await meter.measurePlain(() => call("GET", "/auth/me"));
    const json = "Content-Type: application/json";
    const form = "Content-Type: multipart/form-data; boundary=x";
    for (const [path, type] of [
      ["auth/login/password", json],
      ["servers", json],
      ["voice/webhook", "Content-Type: application/webhook+json"],
      ["upload", form],
    ] as const) {
      const lines = [`Authorization: Bearer ${alice.token}`, type, "Transfer-Encoding: chunked"];
      const text = request("POST", `/api/v1/${path}`, lines, `${"1\r\n \r\n".repeat(60_000)}0\r\n\r\n`);
      await meter.measure(`POST /${path} byte by byte`, () => sayRaw(server.url, text));
    }
    expectWithinBounds(meter, from);
  });

  for (const { operation } of routes) {
    test(`of ${titleOf(operation)} costs no more than a few milliseconds`, async () => {
      things = await stock(alice, bob);
      const from = meter.costs.length;
      await walk(operation);
      expectWithinBounds(meter, from);
      await signInAgain();
      await clear(alice, things);
    });
  }
});
