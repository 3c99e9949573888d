// The program of the last release, taken from this checkout's history, to run beside the current one.
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../machine/folder.ts";

/** Commit of the last release; updated when one is made. */
const lastRelease = "79a8eaa660a464705f52b832311094d9f006f36a";

const project = join(import.meta.dir, "../../..");

function git(...args: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: project, maxBuffer: 256 << 20 });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout;
}

/** False in a checkout without history, or a shallow one. */
export const hasLastRelease =
  spawnSync("git", ["cat-file", "-e", `${lastRelease}^{commit}`], { cwd: project }).status === 0;

/** Names of the migrations that the last release knows. */
export function migrationsOfLastRelease(): Set<string> {
  const found = git("grep", "-hoE", '"[0-9]{4}_[a-z0-9_]+"', lastRelease, "--", "features", "server");
  return new Set(found.toString().replaceAll('"', "").trim().split("\n"));
}

/** Unpacks its sources into a folder of their own; they run with the libraries of this checkout. */
export function unpackLastRelease(): Disposable & { command: string[] } {
  const folder = temporaryFolder();
  const checkout = join(folder.path, "hearth");
  mkdirSync(checkout);
  const unpacked = spawnSync("tar", ["-x", "-C", checkout], {
    input: git("archive", lastRelease, "package.json", "protocol", "features", "server", "client", "web"),
  });
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr}`);
  symlinkSync(join(project, "node_modules"), join(checkout, "node_modules"));
  return {
    command: [process.execPath, join(checkout, "server/main.ts")],
    [Symbol.dispose]: () => folder.remove(),
  };
}
