// A start from the bundle that `npm ci` makes, and from the sources if the bundle is not built from them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type BundleList, bundleListFile, hashOf, stampOf } from "../../server/bundle.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { pictureOf } from "../house/material/images.ts";
import { TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";

const project = join(import.meta.dir, "../..");
const parts = [
  "server",
  "features",
  "protocol",
  "tools/bundle.ts",
  "tools/bundled-packages.ts",
  "package.json",
  "tsconfig.json",
];
const said = "Starts Hearth.";
const fromBundle = "Bundled Hearth.";

let folder: TemporaryFolder;
let made: string;

beforeAll(() => {
  folder = temporaryFolder();
  made = join(folder.path, "made");
  for (const part of parts) cpSync(join(project, part), join(made, part), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(made, "node_modules"));
  expect(prepare(made)).toMatchObject({ exitCode: 0, stderr: "" });
  markBundle(made);
});
afterAll(() => folder.remove());

/** Runs in the checkout what `npm ci` runs there. */
function prepare(checkout: string) {
  return run(checkout, "tools/bundle.ts");
}

function run(checkout: string, ...words: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: checkout });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

function listOf(checkout: string): BundleList {
  return JSON.parse(readFileSync(join(checkout, bundleListFile), "utf8"));
}

function writeList(checkout: string, list: BundleList): void {
  writeFileSync(join(checkout, bundleListFile), JSON.stringify(list));
}

/** Changes a word of the bundle's help, so that a start shows whether the bundle or the sources run. */
function markBundle(checkout: string): void {
  const list = listOf(checkout);
  const program = join(checkout, list.program);
  writeFileSync(program, readFileSync(program, "utf8").replace(said, fromBundle));
  const files = list.files.map(([path, stamp, hash]): BundleList["files"][number] =>
    path === list.program ? [path, stampOf(program), hashOf(program)] : [path, stamp, hash],
  );
  writeList(checkout, { ...list, files });
}

function firstWords(checkout: string, ...options: string[]): string {
  const { exitCode, stdout, stderr } = run(checkout, ...options, "server/main.ts", "--help");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.split(" ", 2).join(" ");
}

/** Changes a file while `look` runs, then restores its content. */
function whereChanged<T>(file: string, change: (file: string) => void, look: () => T): T {
  const bytes = readFileSync(file);
  try {
    change(file);
    return look();
  } finally {
    writeFileSync(file, bytes);
  }
}

describe("the bundle runs", () => {
  test("after npm ci", () => {
    expect(firstWords(made)).toBe(fromBundle);
  });

  test("without the libraries that few servers use: a bundle is all in memory", () => {
    const paths = listOf(made).files.map(([path]) => path);
    expect(paths.some((path) => path.includes("node_modules/kysely/"))).toBe(true);
    const loadedLater = /node_modules\/(@redis|pg|nodemailer|livekit-server-sdk|luxon)\//;
    expect(paths.filter((path) => loadedLater.test(path))).toEqual([]);
  });

  test("where only the times of files are others, as after changing branches to and fro", () => {
    utimesSync(join(made, "server/open.ts"), new Date(), new Date());
    expect(firstWords(made)).toBe(fromBundle);
  });

  test("as a server that has its threads, its processes and the files of its pages, and leaves in order", async () => {
    const data = join(folder.path, "data");
    const command = [process.execPath, join(made, "server/main.ts")];
    const server = await startServer({ settings: { DATA_DIR: data }, command });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    // The files of this page come from a package, which is resolved from the place of the source.
    expect((await fetch(`${server.url}/docs/`)).status).toBe(200);
    const alice = await TestPerson.register(server, "alice");
    const { width } = await upload(alice, "photo.png", await pictureOf("png"));
    expect(width).toBe(90);
    await server.stop();
    expect({ stderr: server.stderr(), wal: existsSync(join(data, "hearth.db-wal")) }).toEqual({
      stderr: "",
      wal: false,
    });
  });

  test("with errors that name the lines of the sources", () => {
    const program = join(made, listOf(made).program);
    const { stderr } = run(made, "-e", `await require(${JSON.stringify(program)}).start(undefined)`);
    expect(stderr).toMatch(/server\/start\.ts:\d+:\d+/);
  });
});

describe("the sources run", () => {
  test("where a byte of one is another, though its length and its time are the same", () => {
    const changeComment = (file: string) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(file, readFileSync(file, "utf8").replace("// The", "// Teh"));
      utimesSync(file, atime, mtime);
    };
    expect(
      whereChanged(join(made, "server/docs/gateway-page.ts"), changeComment, () => firstWords(made)),
    ).toBe(said);
  });

  test("where one is gone", () => {
    const page = join(made, "server/docs/gateway-page.ts");
    expect(whereChanged(page, rmSync, () => firstWords(made))).toBe(said);
  });

  test("where the bundle is broken", () => {
    const program = join(made, listOf(made).program);
    expect(
      whereChanged(
        program,
        (file) => truncateSync(file, 5000),
        () => firstWords(made),
      ),
    ).toBe(said);
    const compiled = `${program}.jsc`;
    const flip = (file: string) => appendFileSync(file, "?");
    expect(whereChanged(compiled, flip, () => firstWords(made))).toBe(said);
  });

  test("where its list cannot be read", () => {
    const list = join(made, bundleListFile);
    expect(
      whereChanged(
        list,
        (file) => truncateSync(file, 5000),
        () => firstWords(made),
      ),
    ).toBe(said);
    expect(
      whereChanged(
        list,
        (file) => writeFileSync(file, "{}"),
        () => firstWords(made),
      ),
    ).toBe(said);
  });

  test("where there is none", () => {
    const away = join(folder.path, "away");
    renameSync(join(made, ".bundle"), away);
    expect(firstWords(made)).toBe(said);
    renameSync(away, join(made, ".bundle"));
  });

  test("where the checkout was moved", () => {
    const moved = join(folder.path, "moved");
    renameSync(made, moved);
    expect(firstWords(moved)).toBe(said);
    renameSync(moved, made);
    expect(firstWords(made)).toBe(fromBundle);
  });

  test("where another version of the runtime made the bundle", () => {
    const other = (file: string) =>
      writeList(made, { ...JSON.parse(readFileSync(file, "utf8")), runtime: "" });
    expect(whereChanged(join(made, bundleListFile), other, () => firstWords(made))).toBe(said);
  });

  test("under an option of the runtime, such as --watch", () => {
    expect(firstWords(made, "--smol")).toBe(said);
  });
});

describe("npm ci goes on", () => {
  test("where a source cannot be bundled: the last bundle stays, and is not run", () => {
    whereChanged(
      join(made, "server/docs/gateway-page.ts"),
      (file) => appendFileSync(file, "\nexport const 1;"),
      () => {
        const { exitCode, stderr } = prepare(made);
        expect({ exitCode, stderr }).toEqual({
          exitCode: 0,
          stderr: expect.stringContaining("from its sources"),
        });
        expect(firstWords(made)).toBe(said);
      },
    );
    expect(readdirSync(join(made, ".bundle"))).toHaveLength(2);
  });

  test("where nothing can be written", () => {
    const away = join(folder.path, "away");
    renameSync(join(made, ".bundle"), away);
    writeFileSync(join(made, ".bundle"), "");
    const { exitCode, stderr } = prepare(made);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("from its sources"),
    });
    rmSync(join(made, ".bundle"));
    renameSync(away, join(made, ".bundle"));
  });
});
