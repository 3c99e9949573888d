// Starts Hearth: the program of `npm start`, run from the bundle if it matches the sources, else from the sources.
import { dirname } from "node:path";
import { bundledProgram } from "./bundle.ts";

type Program = typeof import("./start.ts");

const { start } = (await loadBundled()) ?? (await import("./start.ts"));
await start(process.argv.slice(2));

async function loadBundled(): Promise<Program | undefined> {
  // Options of the runtime (--watch, --inspect, --cpu-prof) apply to the sources.
  const program = process.execArgv.length === 0 && bundledProgram(dirname(import.meta.dir));
  // A bundle that is just being rebuilt cannot be read.
  return program ? import(program).catch(() => undefined) : undefined;
}
