// The tutorial docs/add-a-feature.md, carried out from its own text in a copy of the project.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer, untilEnd } from "../house/machine/process.ts";
import { TestPerson } from "../house/people/people.ts";

const project = join(import.meta.dir, "../..");
const walk = readFileSync(join(project, "docs/add-a-feature.md"), "utf8");
const folder = temporaryFolder();
const copy = join(folder.path, "hearth");
const bun = process.execPath;
/** Timeout in ms of a command: the type check alone takes three minutes on a busy machine. */
const patienceMs = 600_000;
const testMs = 660_000;
const settings = { PATH: Bun.env.PATH ?? "", HOME: folder.path };

/** The place of the tutorial's lines: in this file, after the line that begins like this. */
const beside: Record<string, string> = {
  "tests/permissions/table.ts": '  row("GET /messages/{messageID}/reactions"',
  "tests/permissions/conversations.test.ts": '  "GET /messages/{messageID}/reactions"',
  "tests/routes/answers.test.ts": '    await asAlice("listReactions"',
  "tests/permissions/audience-table.ts": '  heardBy(viewers, "MESSAGE_CREATE"',
  "tests/converge/each-event.test.ts": '      "Carol posts"',
  "tests/client/samples.ts": "  BOT_LEAVE:",
  "tests/client/reducers.ts": "  meAfter:",
  "bench/costs/others.ts": "  addReaction:",
};

beforeAll(() => {
  // Leaves out installed packages and a server's data.
  const left = new Set(["node_modules", "data", ".git"]);
  for (const name of readdirSync(project))
    if (!left.has(name)) cpSync(join(project, name), join(copy, name), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => folder.remove());

/** Paths that the tutorial adds or changes; only these are linted. */
const touched = new Set<string>();

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, path), "utf8");
  const after = change(before);
  if (after === before) throw new Error(`nothing of ${path} changed`);
  writeFileSync(join(copy, path), after);
  touched.add(path);
}

async function inCopy([program = "", ...args]: string[]): Promise<void> {
  const child = spawn(program, args, { cwd: copy, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  const { exitCode, stdout, stderr } = await untilEnd(child, patienceMs);
  if (exitCode !== 0) throw new Error(`${program} ${args.join(" ")}: ${exitCode}\n${stdout}\n${stderr}`);
}

function insertAfter(text: string, line: string, more: string): string {
  return text.replace(new RegExp(`^${RegExp.escape(line)}.*\n`, "m"), (found) => found + more);
}

test("has all that it names: the files, the line in the list, what other tests insist on", () => {
  const files = [...walk.matchAll(/^## \d\. .*: `(features\/pins\/.+)`\n[\s\S]*?^```ts\n([\s\S]*?)^```/gm)];
  expect(files).toHaveLength(6);
  mkdirSync(join(copy, "features/pins"));
  for (const [, path = "", text = ""] of files) {
    writeFileSync(join(copy, path), text);
    touched.add(path);
  }
  const [, line = ""] = /^ {2}reactions,\n( {2}pins,\n) {2}webhooks,$/m.exec(walk) ?? [];
  const imported = 'import { pins } from "../features/pins/handlers.ts";\n';
  edit(
    "server/features.ts",
    (text) => imported + insertAfter(text, "  reactions,", line).replace(imported, ""),
  );
  const rows = [...walk.matchAll(/^- \[((?:tests|bench)\/[^\]]+)\].*\n\n {2}```ts\n([\s\S]*?)^ {2}```/gm)];
  expect(rows.map(([, path]) => path).sort()).toEqual(Object.keys(beside).sort());
  for (const [, path = "", text = ""] of rows)
    edit(path, (before) => insertAfter(before, beside[path] ?? "", text));
  const reducer = 'import { pinsAfter } from "../../features/pins/state.ts";\n';
  edit("tests/client/reducers.ts", (text) => insertAfter(text, "import", reducer));
  edit("tests/converge/each-event.test.ts", (text) =>
    text.replace("const onlyHeard = [", 'const onlyHeard = ["MESSAGE_PIN", '),
  );
});

test(
  "passes lint",
  async () => {
    const biome = (...words: string[]) =>
      inCopy([bun, join(copy, "node_modules/@biomejs/biome/bin/biome"), "check", ...words, ...touched]);
    // The formatter decides on line breaks and order, as for a reader of the tutorial.
    await biome("--write");
    await biome();
  },
  testMs,
);

test("passes typecheck", () => inCopy(["npm", "run", "--silent", "typecheck"]), testMs);

test(
  "passes its own tests, which write down how long they take",
  async () => {
    const [, words = ""] = /^npm test -- (features\/pins .*)$/m.exec(walk) ?? [];
    await inCopy([bun, "tests/run.ts", ...words.split(" ")]);
  },
  testMs,
);

const runs: Record<string, string[]> = {
  "those of the architecture and of the routes": ["tests/architecture", "tests/routes"],
  "those of the permissions": ["tests/permissions", "-t", "pin|MESSAGE_PIN|every"],
  "those of a copy that stays fresh": ["tests/converge/each-event.test.ts"],
  "those of what is not concerned": ["tests/client/unconcerned.test.ts"],
};
for (const [which, args] of Object.entries(runs))
  test(`passes ${which}`, () => inCopy([bun, "test", "--timeout", "300000", ...args]), testMs);

test("pins on a folder that the project as it is has used, too", async () => {
  const used = { ...settings, DATA_DIR: join(folder.path, "data") };
  const before = await startServer({ settings: used });
  const alice = await TestPerson.register(before, "alice");
  const { general } = await alice.makeServer();
  const said = await alice.say(general.id, "The key is under the mat");
  await before.stop();
  const after = await startServer({ settings: used, command: [bun, join(copy, "server/main.ts")] });
  const call = (method: string, path: string) =>
    fetch(`${after.url}/api/v1${path}`, { method, headers: { Authorization: `Bearer ${alice.token}` } });
  expect((await call("PUT", `/messages/${said.id}/pin`)).status).toBe(204);
  expect(await (await call("GET", `/channels/${general.id}/pins`)).json()).toMatchObject([{ id: said.id }]);
  await after.stop();
});
