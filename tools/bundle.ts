// Bundles the server's modules into one file, so that it starts faster: `npm ci` runs this in the checkout (`prepare`).
// A failure is printed and harmless: the server then starts from its sources.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type BundleList, bundleFolder, bundleListFile, hashOf, runtime, stampOf } from "../server/bundle.ts";
import { withoutPinosCaller } from "./bundled-packages.ts";

const root = dirname(import.meta.dir);
process.chdir(root);

/** Packages that are loaded on first use stay outside: a bundle would hold all of their code in memory. */
const loadedLater = [
  "@fastify/busboy",
  "@redis/client",
  "@simplewebauthn/server",
  "file-type",
  "livekit-server-sdk",
  "luxon",
  "nodemailer",
  "pg",
  "web-push",
];

/** Files that are no modules of the program, but whose change may change the modules or their meaning. */
const alsoMadeBy = [
  "tools/bundle.ts",
  "tools/bundled-packages.ts",
  "tsconfig.json",
  "node_modules/.package-lock.json",
];

try {
  console.log(`Bundled ${await bundle()} modules: the server starts from them until one changes.`);
} catch (error) {
  const reasons = error instanceof AggregateError ? error.errors : [error];
  console.warn(`The server will start from its sources, which takes longer: ${reasons.join("; ")}`);
}

/** Returns the number of bundled modules. */
async function bundle(): Promise<number> {
  const folder = join(bundleFolder, crypto.randomUUID());
  try {
    const { inputs, outputs } = await build(folder);
    const program = join(folder, "start.js");
    tryToRun(program);
    const sources = [...inputs, ...alsoMadeBy.filter((path) => existsSync(path))];
    const changed = sources.find((path) => statSync(path).ctimeMs > performance.timeOrigin);
    if (changed) throw new Error(`${changed} was changed meanwhile.`);
    const paths = [...sources, ...outputs];
    const files = paths.map((path): BundleList["files"][number] => [path, stampOf(path), hashOf(path)]);
    publish(folder, { root, runtime, program, files });
    return inputs.length;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Publishes the list atomically: a server that starts at this moment finds the old bundle's list or this one. */
function publish(folder: string, list: BundleList): void {
  const unnamed = join(folder, "list.json");
  writeFileSync(unnamed, JSON.stringify(list));
  // Without an fsync, a file may have its name and length but not its bytes after a power failure.
  for (const name of readdirSync(folder)) {
    const file = openSync(join(folder, name), "r");
    fsyncSync(file);
    closeSync(file);
  }
  renameSync(unnamed, bundleListFile);
  for (const name of readdirSync(bundleFolder)) {
    const path = join(bundleFolder, name);
    if (path !== folder && path !== bundleListFile) rmSync(path, { recursive: true, force: true });
  }
}

async function build(folder: string): Promise<{ inputs: string[]; outputs: string[] }> {
  mkdirSync(folder, { recursive: true });
  const { outputs, metafile } = await Bun.build({
    entrypoints: ["server/start.ts"],
    outdir: folder,
    target: "bun",
    // Only this format can be compiled to bytecode.
    format: "cjs",
    bytecode: true,
    // Stack traces name the sources.
    sourcemap: "linked",
    metafile: true,
    external: loadedLater,
    plugins: [withoutPinosCaller],
  });
  return {
    inputs: Object.keys(metafile!.inputs),
    outputs: outputs.map(({ path }) => join(folder, basename(path))),
  };
}

/** Throws unless the bundle can at least print the help. */
function tryToRun(program: string): void {
  const words = `require(${JSON.stringify(join(root, program))}).start(["--help"])`;
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "-e", words]);
  if (exitCode === 0 && stdout.includes("--port")) return;
  throw new Error(`the bundle does not run. ${stderr.toString().trim()}`);
}
