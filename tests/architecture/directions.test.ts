// The directions of imports: which room may import which.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { features } from "../../server/features.ts";
import { codeOf, featureOf, isTest, type SourceFile, sourceFiles } from "./tree.ts";

const architecture = readFileSync(new URL("../../ARCHITECTURE.md", import.meta.url), "utf8");
const program = sourceFiles("protocol", "features", "client", "server", "cli").filter(
  (file) => !isTest(file),
);
const order = features.map((feature) => feature.name);

/** `from → to` for every import that `forbids` rejects. */
function wrongImports(files: SourceFile[], forbids: (file: SourceFile, to: string) => boolean): string[] {
  return files.flatMap((file) =>
    file.imports.filter((to) => forbids(file, to)).map((to) => `${file.path} → ${to}`),
  );
}

/** Files on an import cycle, or between two cycles. */
function circleIn(files: readonly SourceFile[]): string[] {
  let left = [...files];
  for (;;) {
    const paths = new Set(left.map((file) => file.path));
    // Files that import none of the rest, or are imported by none of it, are on no cycle.
    const imported = new Set(left.flatMap((file) => file.imports));
    const inside = left.filter(
      (file) => imported.has(file.path) && file.imports.some((to) => to !== file.path && paths.has(to)),
    );
    if (inside.length === left.length) return left.map((file) => file.path).sort();
    left = inside;
  }
}

function below(folder: string): SourceFile[] {
  return program.filter((file) => file.path.startsWith(folder));
}

test("the imports are really read: the walk of a message is among them", () => {
  const handlers = program.find((file) => file.path === "features/messages/handlers.ts");
  expect(handlers?.imports).toContain("features/messages/store.ts");
  expect(program.length).toBeGreaterThan(60);
});

describe("protocol/ and the files that run anywhere", () => {
  test("protocol/ imports only itself, and zod", () => {
    expect(wrongImports(below("protocol/"), (_, to) => to !== "zod" && !to.startsWith("protocol/"))).toEqual(
      [],
    );
  });

  test("contract.ts, events.ts and state.ts import only protocol/ and each other", () => {
    const anywhere = below("features/").filter((file) => /\/(contract|events|state)\.ts$/.test(file.path));
    expect(anywhere.length).toBeGreaterThanOrEqual(order.length);
    const allowed = /^(zod$|protocol\/|features\/[^/]+\/(contract|events|state)\.ts$)/;
    expect(wrongImports(anywhere, (_, to) => !allowed.test(to))).toEqual([]);
  });

  test("what reads texts for the server and the page imports nothing else", () => {
    const reading = below("features/").filter((file) => /\/text\//.test(file.path));
    expect(reading.length).toBeGreaterThan(0);
    expect(wrongImports(reading, (_, to) => !/^features\/[^/]+\/text\//.test(to))).toEqual([]);
  });

  test("client/ imports only itself, protocol/ and what features have for clients", () => {
    const allowed = /^(client|protocol)\/|^features\/[^/]+\/(contract|events|state|calls)\.ts$/;
    expect(below("client/").length).toBeGreaterThan(0);
    expect(wrongImports(below("client/"), (_, to) => !allowed.test(to))).toEqual([]);
  });

  test("of a contract.ts, which brings its shapes along, clients take only types", () => {
    const loaded = program.filter((file) =>
      /^(client|web)\/|^features\/[^/]+\/((events|state|calls)\.ts$|view\/)/.test(file.path),
    );
    const wrong = loaded.flatMap((file) =>
      file.loads.filter((to) => /\/contract\.ts$/.test(to)).map((to) => `${file.path} → ${to}`),
    );
    expect(loaded.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  // An allowlist: a new name of a server file would slip through a blocklist.
  test("view/ and web/ reach what runs in a browser, and packages", () => {
    const runsInBrowsers =
      /^(protocol|client|web)\/|^features\/[^/]+\/((contract|events|state|calls)\.ts$|(view|text)\/)|^(?!(node|bun):|bun$|(server|features|cli|tools|tests|bench)\/)[@a-z]/;
    const reach = (to: string) => runsInBrowsers.test(to);
    expect(
      [
        "features/a/state.ts",
        "features/a/view/list.tsx",
        "client/copy.ts",
        "web/ui/controls/button.tsx",
        "react",
      ].filter(reach),
    ).toHaveLength(5);
    const serverSide = ["server/tokens.ts", "features/a/posting.ts", "features/a/store.ts", "node:fs", "bun"];
    expect(serverSide.filter(reach)).toEqual([]);
    const browser = [
      ...sourceFiles("web").filter((file) => !isTest(file) && file.path !== "web/vite.config.ts"),
      ...below("features/").filter((file) => /\/view\//.test(file.path)),
    ];
    expect(wrongImports(browser, (_, to) => !reach(to))).toEqual([]);
  });
});

describe("features", () => {
  test("every folder of features/ is in the list, and the list names nothing else", () => {
    const folders = new Set(below("features/").map((file) => featureOf(file.path) ?? ""));
    expect([...folders].sort()).toEqual([...order].sort());
  });

  test("a feature imports only features above it in server/features.ts", () => {
    const rank = (name: string) => order.indexOf(name);
    const wrong = wrongImports(below("features/"), (file, to) => {
      const [mine, theirs] = [featureOf(file.path), featureOf(to)];
      return mine !== undefined && theirs !== undefined && rank(theirs) > rank(mine);
    });
    expect(wrong).toEqual([]);
  });

  test("a store.ts is opened only by its own folder", () => {
    const wrong = wrongImports(
      program,
      (file, to) => /^features\/.+\/store\.ts$/.test(to) && featureOf(file.path) !== featureOf(to),
    );
    expect(wrong).toEqual([]);
  });

  test("a table is read and written only by the file that declares it", () => {
    const owners = new Map<string, string>();
    for (const file of program) {
      const [, body = ""] = /interface Tables \{([\s\S]*?)\n {2}\}\n/.exec(file.text) ?? [];
      for (const [, table = ""] of body.matchAll(/^ {4}(\w+):/gm)) owners.set(table, file.path);
    }
    expect(owners.get("messages")).toBe("features/messages/store.ts");
    const statement = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\(\s*"(\w+)/g;
    const wrong = program.flatMap((file) =>
      [...codeOf(file).matchAll(statement)]
        .map((match) => match[1] ?? "")
        .filter((table) => owners.get(table) !== file.path)
        .map((table) => `${file.path} → table ${table}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** The rooms of server/, from the bottom up; each file beside the rooms counts as one. */
const rooms = [
  ["own-files"],
  [
    "built-page",
    "cache",
    "counted-socket",
    "deadline",
    "foreign-json",
    "in-time",
    "json-text",
    "kept",
    "whole-body",
  ],
  ["last-resort", "once-more", "place", "queue", "secrets", "turn-share"],
  ["wire"],
  ["ask-by-http"],
  ["cannot-start", "passwords", "tokens"],
  ["config"],
  ["limits", "telemetry"],
  ["database"],
  ["blobs"],
  ["bus"],
  ["house"],
  ["processes"],
  ["caller", "outbound", "passphrase"],
  ["gateway"],
  ["docs"],
  ["http"],
  ["operator", "mail"],
  ["mail-check", "features"],
  ["open"],
  ["serve"],
  ["start"],
  ["bundle"],
  ["main"],
];

/** `server/house/unit.ts` → `house`, `server/mail.ts` → `mail`. */
function roomOf(path: string): string | undefined {
  return /^server\/([^/.]+)/.exec(path)?.[1];
}

describe("server/", () => {
  test("every room and every file outside of the rooms is in the list, and the list names nothing else", () => {
    expect([...new Set(below("server/").map((file) => roomOf(file.path) ?? ""))].sort()).toEqual(
      rooms.flat().sort(),
    );
  });

  test("the tree in ARCHITECTURE.md names each of them", () => {
    const [, tree = ""] = /\nserver\/ ([\s\S]*?)\ntests\//.exec(architecture) ?? [];
    expect(rooms.flat().filter((name) => !new RegExp(`\\b${name}(/|\\.ts)`).test(tree))).toEqual([]);
  });

  test("a room imports only rooms below it", () => {
    const floor = (path: string) => rooms.findIndex((names) => names.includes(roomOf(path) ?? ""));
    const wrong = wrongImports(
      below("server/"),
      (file, to) =>
        to.startsWith("server/") && roomOf(to) !== roomOf(file.path) && floor(to) >= floor(file.path),
    );
    expect(wrong).toEqual([]);
  });

  test("no files import each other in a circle, but for the heart of the house", () => {
    const outside = program
      .filter((file) => !file.path.startsWith("server/house/"))
      // Event kinds take their types from the declarations, which are made from the kinds. Parts of a view that are
      // loaded later take theirs from the part that loads them.
      .map((file) => (/\/events\.ts$|\/view\//.test(file.path) ? { ...file, imports: file.loads } : file));
    expect(circleIn(outside)).toEqual([]);
    const heart = ["house", "feature", "unit", "commit"].map((name) => `server/house/${name}.ts`);
    expect(circleIn(program)).toEqual(expect.arrayContaining(heart));
  });

  test("nor does the heart of the house when it is loaded: its files know each other by their types alone", () => {
    expect(circleIn(program.map((file) => ({ ...file, imports: file.loads })))).toEqual([]);
  });

  test("only features.ts names a feature", () => {
    const machine = below("server/").filter((file) => file.path !== "server/features.ts");
    expect(wrongImports(machine, (_, to) => to.startsWith("features/"))).toEqual([]);
  });

  test("only what starts the process names the list", () => {
    const naming = program.filter((file) => file.imports.includes("server/features.ts"));
    expect(
      naming
        .filter(({ path }) => path !== "server/start.ts" && !path.startsWith("cli/"))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  // Its settings and descriptions are the product's; permissions speak of roles, and of who sees channels.
  test("the machine has no word for what features are about", () => {
    const words =
      /webhook|reaction|voice|typing|invite|presence|\bh[a-z]_|\bchannel|messages?(Gone|Created|Id)/i;
    const machine = below("server/").filter(
      ({ path }) => !/^server\/(features\.ts|config\/|docs\/)/.test(path),
    );
    expect(machine.filter((file) => words.test(codeOf(file))).map(({ path }) => path)).toEqual([]);
  });

  test("the words of the runtime stay inside the adapter files", () => {
    const adapters = new Set([
      "server/bundle.ts", // Bun.hash and the versions
      "server/own-files.ts", // whether it is the executable
      "server/database/sqlite.ts", // bun:sqlite
      "server/database/sqlite-connection.ts",
      "server/database/checkpoint-worker.ts",
      "server/database/snapshot-thread.ts", // bun:sqlite
      "server/http/listen.ts", // Bun.serve
      "server/passwords.ts", // Bun.password
      "server/tokens.ts", // Bun.randomUUIDv7
    ]);
    const wrong = program.filter(
      (file) =>
        !adapters.has(file.path) &&
        (/\bBun\./.test(codeOf(file)) || file.imports.some((to) => to === "bun" || to.startsWith("bun:"))),
    );
    expect(wrong.map((file) => file.path)).toEqual([]);
  });

  test("the environment is read in config.ts and nowhere else", () => {
    const wrong = program.filter(
      (file) =>
        file.path !== "server/config/config.ts" && /\b(process|Bun|import\.meta)\.env\b/.test(codeOf(file)),
    );
    expect(wrong.map((file) => file.path)).toEqual([]);
  });
});
