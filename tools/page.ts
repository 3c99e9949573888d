// Builds the page that people see, compressed: `npm ci` runs this in the checkout (`prepare`), `npm run build` by hand.
// Whatever goes wrong is told; a page that was built before stays. By hand, it is also the exit code. The tests build it
// where a source has changed.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { builtPageFolder, encodedSuffix, hashedFolder, indexFile } from "../server/built-page.ts";

process.chdir(dirname(import.meta.dir));

const vite = "node_modules/vite/bin/vite.js";
/** Smaller files than this, and those of formats that are compressed already, are sent as they are. */
const leastBytes = 512;
/** What every page is made of begins here; large pictures of its icon are the system's, which asks for them once. */
const shell = ["index.html", "shell/shell.tsx", "gate.tsx"];
const isLargeIcon = /^icon-.*512\.png$/;
const shrinks = /\.(css|html|js|json|svg|txt|webmanifest)$/;

const isByHand = !process.argv.includes("--if-possible");

if (process.argv.includes("--if-changed") && !hasChanged()) process.exit(0);
if (existsSync(vite)) {
  try {
    console.log(`Built the page: ${await build()} files.`);
  } catch (error) {
    console.warn(`The page could not be built${kept()}: ${(error as Error).message}`);
    process.exitCode = isByHand ? 1 : 0;
  }
} else {
  console.warn(`The page is built with the development packages, which are not here${kept()}.`);
  process.exitCode = isByHand ? 1 : 0;
}

function kept(): string {
  return existsSync(builtPageFolder) ? "; the one that was built before stays" : "; so there is none";
}

/** Whether a file that may be a part of the page is younger than the page. */
function hasChanged(): boolean {
  const built = join(builtPageFolder, indexFile);
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const sources = ["web", "features", "client", "protocol", "package-lock.json", "tools/page.ts"];
  return sources.some((path) => isYounger(path, since));
}

function isYounger(path: string, since: number): boolean {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs > since;
  return readdirSync(path).some((name) => isYounger(join(path, name), since));
}

/** Returns how many files there are, not counting their compressed ones. */
async function build(): Promise<number> {
  const fresh = `${builtPageFolder}-${crypto.randomUUID()}`;
  try {
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      ["node", vite, "build", "web", "--outDir", `../${fresh}`],
      {
        env: { ...process.env, NODE_ENV: "production" },
      },
    );
    if (exitCode !== 0) throw new Error(`${stdout.toString()}${stderr.toString()}`.trim());
    await buildWorker(fresh);
    const count = [fresh, join(fresh, hashedFolder)].reduce((sum, folder) => sum + compress(folder), 0);
    publish(fresh);
    return count;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** One file of Vite's list: what comes with it. */
interface Part {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

/** The files without which no page can be shown, by what imports what; words come with the first use of a language. */
function filesOfShell(folder: string): Set<string> {
  const list = join(folder, ".vite", "manifest.json");
  const parts: Record<string, Part> = JSON.parse(readFileSync(list, "utf8"));
  rmSync(dirname(list), { recursive: true });
  const found = new Set<string>();
  const waiting = [...shell];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const part = parts[name];
    if (!part) throw new Error(`no file was made of ${name}`);
    if (found.has(part.file)) continue;
    for (const file of [part.file, ...(part.css ?? []), ...(part.assets ?? [])]) found.add(file);
    waiting.push(...(part.imports ?? []));
  }
  return found;
}

/**
 * The service worker, with the list of what it keeps from the beginning: hashed files by name alone, the others with what
 * tells versions apart; and with the list of what it keeps once it was used.
 */
async function buildWorker(folder: string): Promise<void> {
  const ofShell = filesOfShell(folder);
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !isLargeIcon.test(entry.name),
  );
  const hashed = readdirSync(join(folder, hashedFolder)).map((name) => `${hashedFolder}/${name}`);
  const precached = [
    ...files.map(({ name }) => ({
      url: name === indexFile ? "/" : `/${name}`,
      revision: new Bun.CryptoHasher("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")
        .slice(0, 16),
    })),
    ...hashed.filter((name) => ofShell.has(name)).map((name) => ({ url: `/${name}`, revision: null })),
  ];
  const others = hashed.filter((name) => !ofShell.has(name)).map((name) => `/${name}`);
  const { success, logs } = await Bun.build({
    entrypoints: ["web/sw.ts"],
    outdir: folder,
    target: "browser",
    minify: true,
    define: {
      precached: JSON.stringify(precached),
      others: JSON.stringify(others),
      "process.env.NODE_ENV": '"production"',
    },
  });
  if (!success) throw new Error(logs.join("\n"));
}

function compress(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of files) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    if (bytes.length < leastBytes || !shrinks.test(name)) continue;
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(path + encodedSuffix.br, brotliCompressSync(bytes, { params: quality }));
    writeFileSync(path + encodedSuffix.gzip, gzipSync(bytes, { level: 9 }));
  }
  return files.length;
}

/** A server that starts at this moment finds the former page or this one. */
function publish(fresh: string): void {
  const former = `${fresh}-former`;
  if (existsSync(builtPageFolder)) renameSync(builtPageFolder, former);
  else mkdirSync(dirname(builtPageFolder), { recursive: true });
  renameSync(fresh, builtPageFolder);
  rmSync(former, { recursive: true, force: true });
}
