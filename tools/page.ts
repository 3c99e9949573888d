// Builds and compresses the page: `npm ci` runs this in the checkout (`prepare`), `npm run page` by hand. A failure is
// printed and keeps an earlier build; by hand, it also sets the exit code. The tests rebuild it when a source has
// changed.
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
/** Files below this size, and those of compressed formats, are sent as they are. */
const leastBytes = 512;
/** The entry points of what every page needs. */
const shell = { chunks: ["start", "gate", "house"], files: ["index.html", "gate.tsx", "shell/shell.tsx"] };
/**
 * Parts that are not kept for offline use: large ones that most readers never need, those of calls, those that only show
 * what they fetch, and those of pages that are not kept. Words are not listed: the worker keeps those of the reader's
 * language.
 */
const rare = [
  "../features/administration/view/console.tsx",
  "../features/channels/view/create-channel.tsx",
  "../features/channels/view/rename-category.tsx",
  "../features/channels/view/settings/why-dialog.tsx",
  "../features/channels/view/view-as.tsx",
  "../features/commands/view/bot-commands.tsx",
  "../features/direct/view/message-button.tsx",
  "../features/direct/view/missing.ts",
  "../features/direct/view/new-conversation.tsx",
  "../features/direct/view/people-dialog.tsx",
  "../features/files/view/lightbox-overlay.tsx",
  "../features/gifs/view/gif-picker.tsx",
  "../features/invites/view/invite-dialog.tsx",
  "../features/members/view/giving-roles.tsx",
  "../features/messages/view/composer/viewed-foot.tsx",
  "../features/messages/view/jump/jump-to-date.tsx",
  "../features/ringing/view/call-button.tsx",
  "../features/ringing/view/call-person.tsx",
  "../features/ringing/view/conversation-call.tsx",
  "../features/ringing/view/ringing-watch.tsx",
  "../features/server-order/view/all-servers.tsx",
  "../features/server-order/view/server-list.tsx",
  "../features/servers/view/add-server.tsx",
  "../features/voice/view/call.ts",
  "../features/voice/view/call-bar-inside.tsx",
  "../features/voice/view/call-watch.tsx",
  "../features/voice/view/role-says.tsx",
  "../node_modules/@simplewebauthn/browser/esm/index.js",
  "settings/person-settings.tsx",
  "setup/setup.tsx",
  "shell/channel-settings.tsx",
  "shell/invite.tsx",
  "shell/server-settings.tsx",
  "ui/controls/reorder-rows.tsx",
];
const isWords = /^words\//;
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

/** True if any source of the page is newer than the page. */
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

/** Returns the number of files, not counting their compressed versions. */
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
    await shrinkLook(fresh);
    const count = [fresh, join(fresh, hashedFolder)].reduce((sum, folder) => sum + compress(folder), 0);
    publish(fresh);
    return count;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** An entry of Vite's manifest: a file and what it needs. */
interface Part {
  file: string;
  name?: string;
  imports?: string[];
  /** Modules that it loads later. */
  dynamicImports?: string[];
  css?: string[];
  assets?: string[];
}

/**
 * Returns the files of the house, found by their imports: those without which nothing can be shown, and the small
 * parts that it loads after the first message, so that a page opened offline has its menus and dialogs, too.
 */
function filesOfHouse(folder: string): Set<string> {
  const list = join(folder, ".vite", "manifest.json");
  const parts: Record<string, Part> = JSON.parse(readFileSync(list, "utf8"));
  rmSync(dirname(list), { recursive: true });
  const index = readFileSync(join(folder, indexFile), "utf8");
  // index.html names the text font; the title font is named by the script that loads it.
  const found = new Set(Array.from(index.matchAll(/"\/(assets\/[^"]+)"/g), ([, file = ""]) => file));
  const reached = new Set<string>();
  // An entry file may have been merged into its chunk, and then only the chunk is listed.
  const waiting = Object.keys(parts).filter(
    (name) =>
      shell.files.includes(name) || (name.startsWith("_") && shell.chunks.includes(parts[name]?.name ?? "")),
  );
  const unknown = rare.filter((name) => !(name in parts));
  if (unknown.length > 0) throw new Error(`no part of the page is called ${unknown.join(", ")}`);
  if (waiting.length < shell.chunks.length)
    throw new Error("the shell of the page is not among what was built");
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const part = parts[name];
    if (!part || reached.has(name)) continue;
    reached.add(name);
    const faces = (part.assets ?? []).filter((file) => file.endsWith(".woff2"));
    for (const file of [part.file, ...(part.css ?? []), ...faces]) found.add(file);
    const isKept = (name: string) => !rare.includes(name) && !isWords.test(name);
    waiting.push(...(part.imports ?? []), ...(part.dynamicImports ?? []).filter(isKept));
  }
  return found;
}

/**
 * Builds the service worker with its two lists: files to precache (hashed ones by name alone, the others with a
 * revision), and files to cache on first use.
 */
async function buildWorker(folder: string): Promise<void> {
  const ofHouse = filesOfHouse(folder);
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
    ...hashed.filter((name) => ofHouse.has(name)).map((name) => ({ url: `/${name}`, revision: null })),
  ];
  const others = hashed.filter((name) => !ofHouse.has(name)).map((name) => `/${name}`);
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

/** Takes comments and blanks out of the script of the first paint. Its syntax stays as old as it is. */
async function shrinkLook(folder: string): Promise<void> {
  const { success, logs } = await Bun.build({
    entrypoints: ["web/public/look.js"],
    outdir: folder,
    format: "iife",
    minify: { whitespace: true, identifiers: true, syntax: false },
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

/** Moves the build into place: a server that starts at this moment finds the old page or this one. */
function publish(fresh: string): void {
  const former = `${fresh}-former`;
  if (existsSync(builtPageFolder)) renameSync(builtPageFolder, former);
  else mkdirSync(dirname(builtPageFolder), { recursive: true });
  renameSync(fresh, builtPageFolder);
  rmSync(former, { recursive: true, force: true });
}
