// Fuzzes operations: for any JSON, path and query, the answer is one that the operation declares, and never a 5xx.
import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { errorStatus } from "../../protocol/errors.ts";
import type { Operation } from "../../protocol/operation.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { nobodysId, send, type TestPerson } from "../house/people/people.ts";
import { reachedBy } from "../house/scenes/pictures.ts";
import { expectErrorBody } from "../routes/error-body.ts";
import { routes, titleOf } from "../routes/walk.ts";
import { clear, fittingField, fittingParameter, stock, type Things } from "./fitting.ts";

// Registering and signing in hash passwords, so they run less often. Signing out would end the fuzz, so others do it.
const slow = new Set(["register", "loginWithPassword", "changePassword"]);
const endsTheSession = new Set(["logout", "endSession"]);

const nasty = fc.constantFrom(
  ...["", " ", "0", "-1", "null", "undefined", "__proto__", "constructor", "@me", "@everyone", "' or 1=1 --"],
  ...[
    "%",
    "%00",
    "\u0000",
    "\u202e",
    "😀",
    "9".repeat(400),
    "x".repeat(5000),
    "javascript:alert(1)",
    "../../x",
  ],
);
const number = fc.oneof(
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(-1, 0, 2048, 2 ** 31, 2 ** 53, 1.5),
);
const anything = fc.oneof(nasty, number, fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 }));

/** `runs`: how often each operation is called. */
export function fuzz(house: () => TestHouse, runs: number): void {
  reachedBy(house);
  let alice: TestPerson;
  let bob: TestPerson;
  let things: Things;
  beforeAll(async () => {
    [alice, bob] = [await house().person("alice"), await house().person("bob")];
  });
  // Many operations delete things or hand servers over, so each starts with a server of its own.
  beforeEach(async () => {
    things = await stock(alice, bob);
  });
  afterEach(() => clear(alice, things));

  function id() {
    return fc.constantFrom(...Object.values(things), nobodysId);
  }

  /** Mostly the valid value; else ids of other things, or nonsense. */
  function mostly(fitting: unknown) {
    return fc.oneof(
      { arbitrary: fc.constant(fitting), weight: 12 },
      { arbitrary: fc.oneof(id(), fc.array(id(), { maxLength: 3 })), weight: 1 },
      { arbitrary: anything, weight: 2 },
    );
  }

  function bodyFor(operation: Operation) {
    const fields = Object.keys((operation.body as { shape?: object } | undefined)?.shape ?? {});
    const values = fields.map((name) => [name, mostly(fittingField(name, things))] as const);
    const almost = fc.record(Object.fromEntries(values), {
      requiredKeys: fields.filter((name) => ["server_id", "name"].includes(name)),
    });
    return fc.oneof({ arbitrary: almost, weight: 9 }, { arbitrary: anything, weight: 1 });
  }

  function addressOf(operation: Operation) {
    const parts = operation.path
      .split("/")
      .map((part, place) =>
        part.startsWith("{")
          ? fc.oneof(
              { arbitrary: fc.constant(fittingParameter(operation, place, things)), weight: 9 },
              { arbitrary: fc.oneof(id(), nasty), weight: 1 },
            )
          : fc.constant(part),
      );
    const keys = [...Object.keys(operation.query?.shape ?? {}), "x"];
    const query = fc.record(
      Object.fromEntries(keys.map((name) => [name, mostly(fittingField(name, things))])),
      { requiredKeys: keys.filter((name) => name === "server_id") },
    );
    return fc.tuple(fc.tuple(...parts), query).map(([path, pairs]) => {
      const address = path.map((part) => (part === "@me" ? part : encode(part))).join("/");
      const search = Object.entries(pairs).map(([key, value]) => `${key}=${encode(String(value))}`);
      return operation.method === "GET" ? `${address}?${search.join("&")}` : address;
    });
  }

  test("a value whose length cannot be compared is refused like any other of the wrong type", async () => {
    const value = { length: { toString: 1 } };
    const failures: string[] = [];
    for (const { operation } of routes) {
      const fields = Object.keys((operation.body as { shape?: object } | undefined)?.shape ?? {});
      const address = operation.path.replaceAll(/\{\w+\}/g, nobodysId);
      for (const field of fields) {
        const answer = await send(house(), alice.token, operation.method, address, { [field]: value });
        if (answer.status >= 500 && answer.status !== 503)
          failures.push(`${titleOf(operation)} ${field}: ${answer.status}`);
      }
    }
    expect(failures).toEqual([]);
  });

  for (const { operation } of routes) {
    test(`${titleOf(operation)} answers what it declares`, async () => {
      const who = endsTheSession.has(operation.name) ? await house().person("brief") : alice;
      const declared = new Set([404, 405, ...statusesOf(operation)]);
      await fc.assert(
        fc.asyncProperty(addressOf(operation), bodyFor(operation), async (address, body) => {
          const sent = operation.method === "GET" ? undefined : body;
          const answer = await send(house(), who.token, operation.method, address, sent);
          if (!declared.has(answer.status))
            throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
          if (answer.status >= 400) expectErrorBody(answer);
        }),
        { numRuns: slow.has(operation.name) ? Math.ceil(runs * 0.3) : runs, seed: 20_261_121 },
      );
      expect((await alice.get("/auth/me")).status).toBe(200);
    });
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The statuses that an operation declares. 404 and 405 are possible too, if a part of the path names nothing. */
function statusesOf(operation: Operation): number[] {
  const codes = [
    ...(operation.errors ?? []),
    ...(operation.caller === "public" ? [] : (["unauthenticated"] as const)),
    ...(operation.body ? (["malformed_json", "invalid_request"] as const) : []),
    ...(operation.query ? (["invalid_request"] as const) : []),
  ];
  return [...Object.keys(operation.answers).map(Number), ...codes.map((code) => errorStatus[code])];
}
