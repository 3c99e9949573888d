// Sizes of files, functions, handlers and parameter lists. Those that exceeded the limits from the start are listed,
// only shrink, and must be gone by the release of their list.
import { beforeAll, describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { type ByRelease, everySize, overdue, type Sizes, slipped, strayed } from "./ratchet.ts";
import { type MeasuredFunction, measure } from "./syntax.ts";
import { isTest, sourceFiles } from "./tree.ts";

const files = sourceFiles("protocol", "features", "server", "client", "web", "cli", "bin").filter(
  (file) => !isTest(file),
);

const longFiles: ByRelease<Sizes> = {};

const longFunctions: ByRelease<Sizes> = {
  "0.3.0": {
    "features/push/store.ts pushMigrations": 65,
    "features/push/store.ts up": 58,
    "features/roles/store.ts roleMigrations": 51,
    "features/schedule/store.ts scheduleMigrations": 65,
    "server/config/config.ts readConfig": 51,
    "server/database/sqlite.ts openSqlite": 136,
    "server/http/listen.ts listen": 55,
    "server/telemetry/log.ts gatherLines": 53,
  },
};

const longHandlers: ByRelease<Sizes> = {
  "0.3.0": {
    "features/commands/handlers.ts createCommand": 21,
    "features/files/handlers.ts getFile": 24,
    "features/roles/handlers.ts createRole": 21,
    "features/roles/handlers.ts updateRole": 22,
    "features/schedule/handlers.ts createEvent": 28,
    "features/schedule/handlers.ts updateEvent": 29,
    "features/webhooks/handlers.ts createWebhook": 21,
  },
};

const manyParameters: ByRelease<Sizes> = {
  "0.3.0": {
    "features/reactions/store.ts selectReactors": 5,
    "server/http/dispatch.ts admission": 5,
    "server/http/dispatch.ts write": 5,
    "server/telemetry/log.ts logRequest": 6,
  },
};

/** Parts of handlers that belong into the store, access or dispatch. */
const handlersThatDoMore: ByRelease<readonly string[]> = {
  "0.2.0": [
    "features/channels/handlers.ts updateChannel: JSON",
    "features/files/handlers.ts getFile: status",
    "features/passkeys/handlers.ts addPasskey: try",
    "features/passkeys/handlers.ts loginWithPasskey: try",
    "features/push/handlers.ts subscribe: try",
    "features/roles/handlers.ts updateRole: JSON",
    "features/webhooks/handlers.ts executeWebhook: status",
  ],
};

const lines = { unit: "lines", remedy: "make two of it" };
const parameters = { unit: "parameters", remedy: "give it an object, or less to do" };

let functions: MeasuredFunction[] = [];
beforeAll(async () => {
  functions = await measure(Object.fromEntries(files.map(({ path, text }) => [path, text])));
});

/** The largest function of each name: every migration of a file has an `up`. */
function largest(among: readonly MeasuredFunction[], size: "lines" | "parameters"): Sizes {
  const sizes: Record<string, number> = {};
  for (const each of among) sizes[each.name] = Math.max(sizes[each.name] ?? 0, each[size]);
  return sizes;
}

function isView(name: string): boolean {
  return /\.tsx /.test(name);
}

function handlers(): MeasuredFunction[] {
  return functions.filter(({ isHandler }) => isHandler);
}

describe("the program", () => {
  test("has no file above 300 lines", () => {
    const sizes = Object.fromEntries(
      files.map(({ path, text }) => [path, text.trimEnd().split("\n").length]),
    );
    expect(Object.keys(sizes).length).toBeGreaterThan(250);
    expect(slipped(sizes, 300, everySize(longFiles), lines)).toEqual([]);
  });

  test("has no function above 50 lines", () => {
    expect(functions.length).toBeGreaterThan(2000);
    const code = functions.filter(({ name }) => !isView(name));
    expect(slipped(largest(code, "lines"), 50, everySize(longFunctions), lines)).toEqual([]);
  });

  // Markup is flat: a form with six fields is long, and no harder to read than one with three.
  test("has no view above 70 lines", () => {
    const views = functions.filter(({ name }) => isView(name));
    expect(views.length).toBeGreaterThan(50);
    expect(slipped(largest(views, "lines"), 70, {}, lines)).toEqual([]);
  });

  test("has no handler above 20 lines", () => {
    expect(handlers().length).toBeGreaterThan(90);
    expect(slipped(largest(handlers(), "lines"), 20, everySize(longHandlers), lines)).toEqual([]);
  });

  test("has no function of more than 4 parameters", () => {
    expect(slipped(largest(functions, "parameters"), 4, everySize(manyParameters), parameters)).toEqual([]);
  });

  test("has no handler with a try, a status code, JSON or SQL in it", () => {
    const found = handlers().flatMap(({ name, beyondHandlers }) =>
      beyondHandlers.map((what) => `${name}: ${what}`),
    );
    const instead = "leave it to the store, to access or to dispatch";
    expect(strayed(found, Object.values(handlersThatDoMore).flat(), instead)).toEqual([]);
  });
});

describe("the measure", () => {
  const text = [
    "// “Ünïcödé” before it → moves nothing.",
    "export const things = [",
    "  /** Not counted. */",
    "  handle(contract.makeThing, async ({ body }, a, b, c, d) => {",
    "    // Nor this.",
    "    try {",
    "      return new Reply(JSON.parse(body), 201, {});",
    "    } catch {}",
    "    function inner(this: void, one: number) {}",
    "  }),",
    "  handle(contract.dropThing, drop),",
    "];",
    "async function drop(): Promise<void> {",
    "  await db.deleteFrom('things');",
    "}",
  ].join("\n");

  test("finds every function, what it is called, and what a handler does that it should not", async () => {
    expect(await measure({ "features/a/handlers.ts": text })).toEqual([
      {
        name: "features/a/handlers.ts makeThing",
        lines: 6,
        parameters: 5,
        isHandler: true,
        beyondHandlers: ["JSON", "status", "try"],
      },
      {
        name: "features/a/handlers.ts inner",
        lines: 1,
        parameters: 1,
        isHandler: false,
        beyondHandlers: [],
      },
      {
        name: "features/a/handlers.ts drop",
        lines: 3,
        parameters: 0,
        isHandler: true,
        beyondHandlers: ["SQL"],
      },
    ]);
  });

  test("says what to change when a handler does more than listed, or less", () => {
    expect(strayed(["a: JSON", "b: SQL"], ["a: JSON", "c: try"], "leave it to the store")).toEqual([
      "b: SQL is new: leave it to the store.",
      "c: try is gone: take it out of the list.",
    ]);
  });

  test("says what to change when something is too large, has grown, has shrunk, or is gone", () => {
    const listed = { grown: 60, shrunk: 60, mended: 60, gone: 60, same: 60 };
    const found = { grown: 61, shrunk: 55, mended: 50, same: 60, large: 51, small: 50 };
    expect(slipped(found, 50, listed, lines)).toEqual([
      "grown has grown from 60 lines to 61, and the list only shrinks: make two of it.",
      "large has 51 lines, 50 are the most: make two of it.",
      "shrunk has only 55 lines now: write 55 for 60 in the list.",
      "mended is down to 50 lines: take it out of the list.",
      "gone is gone: take it out of the list.",
    ]);
  });
});

describe("a list of what is still too large", () => {
  test("is empty by the release that each entry names", () => {
    const lists = [longFiles, longFunctions, longHandlers, manyParameters, handlersThatDoMore];
    expect(lists.flatMap((list) => overdue(list, version))).toEqual([]);
  });

  test("says which entries are overdue once that release is there", () => {
    const list = { "0.2.0": { "a.ts one": 60 }, "0.10.0": { "b.ts two": 60 } };
    expect(overdue(list, "0.1.9")).toEqual([]);
    expect(overdue(list, "0.9.0")).toEqual(["a.ts one was to be mended by 0.2.0, and this is 0.9.0."]);
    expect(overdue({ "0.2.0": ["c.ts: JSON"] }, "0.2.0")).toHaveLength(1);
    expect(everySize(list)).toEqual({ "a.ts one": 60, "b.ts two": 60 });
  });
});
