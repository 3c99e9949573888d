// Loads the given modules, and prints the regular expressions that they construct by `RegExp`: a JSON array of path,
// source and flags on each line.
import { join, relative } from "node:path";

const project = join(import.meta.dir, "../..");
const given = process.argv.slice(2);

/** Returns the module of ours that made a call; libraries construct expressions of their own. */
function caller(): string | undefined {
  const frame = new Error().stack
    ?.split("\n")
    .find((line) => line.includes(project) && !line.includes(import.meta.path));
  const path = frame && relative(project, /\(?([^\s(]+?):\d+/.exec(frame)?.[1] ?? "");
  return given.find((each) => each === path);
}

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args: [string, string?]) {
    const made = new target(...args);
    const path = caller();
    if (path) console.log(JSON.stringify([path, made.source, made.flags]));
    return made;
  },
});

for (const path of given) await import(join(project, path));
// Some modules keep a timer or a socket open.
process.exit();
