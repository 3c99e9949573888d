// Code that breaks the single executable (docs/decisions/0021-executable.md): only own-files.ts finds its own files.
import { expect, test } from "bun:test";
import { codeOf, isTest, type SourceFile, sourceFiles } from "./tree.ts";

/** The reason, the pattern, and the files that may match it. */
const rules: readonly (readonly [why: string, pattern: RegExp, allowed: readonly string[]])[] = [
  // main.ts runs only in a checkout, and looks for the bundle there.
  [
    "the place of a module is another there",
    /\bimport\.meta\b|\b__dirname\b|\b__filename\b/,
    ["server/own-files.ts", "server/main.ts"],
  ],
  ["a thread is a program of its own there, listed in own-files.ts", /\bnew Worker\((?!threadFile\()/, []],
  [
    "no bundler sees what is loaded under a name that is made up",
    /(?<!\.)\bimport\s*\(\s*(?!")/,
    ["server/main.ts"],
  ],
  ["no bundler follows it into another package", /\brequire\s*\(|\bcreateRequire\b/, []],
  [
    "the program itself is started by commandLine, and as the runtime only with asRuntime",
    /\bprocess\.execPath\b(?![\s\S]*\basRuntime\b)/,
    ["server/own-files.ts", "server/main.ts"],
  ],
];

function breaches(file: SourceFile): string[] {
  const code = codeOf(file);
  return rules
    .filter(([, pattern, allowed]) => pattern.test(code) && !allowed.includes(file.path))
    .map(([why]) => `${file.path}: ${why}`);
}

test("nothing that runs in the executable looks for its files, threads and modules by itself", () => {
  const files = sourceFiles("server", "cli", "features", "protocol").filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(breaches)).toEqual([]);
});

test("what does is found", () => {
  const found = [
    'new Worker(new URL("./copy.ts", import.meta.url));',
    'new Worker("./copy.ts");',
    'const page = readFileSync(join(__dirname, "page.html"));',
    "await import(name);",
    'require("./late.cjs");',
    'spawn(process.execPath, ["server/copy.ts"]);',
  ];
  for (const text of found)
    expect(breaches({ path: "server/a.ts", text, imports: [], loads: [] })).not.toEqual([]);
  const allowed = [
    'new Worker(threadFile("server/last-resort.ts"));',
    'await import("./late.ts");',
    "spawn(process.execPath, [program], { env: { ...asRuntime } });",
  ];
  for (const text of allowed)
    expect(breaches({ path: "server/a.ts", text, imports: [], loads: [] })).toEqual([]);
});
