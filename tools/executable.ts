// Makes the single-file executable: `npm run build`, after the page. It lies in `dist/`, or in a folder that is named, with
// the library for pictures beside it.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtPageFolder, indexFile } from "../server/built-page.ts";
import { swaggerUiFiles, swaggerUiFolder } from "../server/docs/swagger-ui.ts";
import { pictureProgram, picturesBeside, threadPrograms } from "../server/own-files.ts";
import { reflectionInTime, withoutPinosCaller } from "./bundled-packages.ts";

process.chdir(dirname(import.meta.dir));

const folder = process.argv[2] ?? "dist";
/** Only the programs of pictures load it: it has parts that cannot lie in an executable. */
const nativeLibrary = "sharp";

const fresh = `${folder}-${crypto.randomUUID()}`;
const work = `${fresh}-work`;
try {
  if (!existsSync(join(builtPageFolder, indexFile)))
    throw new Error("there is no page: run npm run page first");
  await compile(join(fresh, "hearth"), gatherFiles(join(work, "files")));
  await layBeside(join(fresh, picturesBeside));
  tryToRun(join(fresh, "hearth"));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  console.log(
    `Made ${folder}/hearth, and ${folder}/${picturesBeside} for pictures, which belongs beside it.`,
  );
} catch (error) {
  const reasons = error instanceof AggregateError ? error.errors : [error];
  console.error(`The executable could not be made: ${reasons.join("; ")}`);
  process.exitCode = 1;
} finally {
  for (const each of [fresh, work]) rmSync(each, { recursive: true, force: true });
}

/** Copies what is embedded as it is, laid out as in the checkout; returns the files and folders at the top. */
function gatherFiles(gathered: string): string[] {
  cpSync(builtPageFolder, join(gathered, builtPageFolder), { recursive: true });
  for (const name of swaggerUiFiles)
    cpSync(join(swaggerUiFolder, name), join(gathered, swaggerUiFolder, name));
  return [builtPageFolder, "node_modules"].map((name) => join(gathered, name));
}

async function compile(program: string, assets: string[]): Promise<void> {
  const outfile = join(work, "hearth");
  await Bun.build({
    entrypoints: ["cli/main.ts", ...threadPrograms],
    target: "bun",
    // Stacks of errors name the sources.
    sourcemap: "inline",
    plugins: [withoutPinosCaller, reflectionInTime],
    // A file of settings for the runtime, in whatever folder it is started, is none of Hearth's.
    compile: { outfile, assets, autoloadBunfig: false },
  });
  // The sources that stacks are read with are in it; beside it they are laid as well.
  mkdirSync(dirname(program), { recursive: true });
  renameSync(outfile, program);
}

/** The program that decodes pictures, with the packages of its library, which have a part for this kind of machine. */
async function layBeside(beside: string): Promise<void> {
  await Bun.build({
    entrypoints: [pictureProgram],
    outdir: beside,
    target: "bun",
    external: [nativeLibrary],
  });
  for (const name of packagesOf(nativeLibrary)) {
    const path = join("node_modules", name);
    mkdirSync(join(beside, dirname(path)), { recursive: true });
    cpSync(path, join(beside, path), { recursive: true, dereference: true });
  }
}

/** Names of a package and all that it needs, of those that are installed. */
function packagesOf(name: string, found = new Set<string>()): Set<string> {
  const description = join("node_modules", name, "package.json");
  if (found.has(name) || !existsSync(description)) return found;
  found.add(name);
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(description, "utf8"));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) packagesOf(needed, found);
  return found;
}

/** An executable that does not even print the help is none. */
function tryToRun(program: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, "help"]);
  if (exitCode === 0 && stdout.includes("hearth serve")) return;
  throw new Error(`it does not run. ${stderr.toString().trim()}`);
}
