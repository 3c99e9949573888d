// Builds the single-file executable: `npm run build`, after the page. It goes to `dist/` or to the given folder, with
// the image library beside it.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtPageFolder, indexFile } from "../server/built-page.ts";
import { swaggerUiFiles, swaggerUiFolder } from "../server/docs/swagger-ui.ts";
import { pictureProgram, picturesBeside, threadPrograms } from "../server/own-files.ts";
import { reflectionInTime, withoutPinosCaller } from "./bundled-packages.ts";

process.chdir(dirname(import.meta.dir));

const folder = process.argv[2] ?? "dist";
/** The image library, loaded by the picture program only: its native parts cannot be embedded in an executable. */
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

/** Copies the embedded files, laid out as in the checkout. Returns the top-level folders. */
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
    // Stack traces name the sources.
    sourcemap: "inline",
    plugins: [withoutPinosCaller, reflectionInTime],
    // A bunfig.toml in the folder where Hearth is started is not meant for it.
    compile: { outfile, assets, autoloadBunfig: false },
  });
  // Moves the executable alone: the source map is embedded in it, and is written beside it as well.
  mkdirSync(dirname(program), { recursive: true });
  renameSync(outfile, program);
}

/** Bundles the program that decodes pictures, and copies its library with its platform-specific packages. */
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

/** Returns the names of a package and of its transitive dependencies, as far as they are installed. */
function packagesOf(name: string, found = new Set<string>()): Set<string> {
  const description = join("node_modules", name, "package.json");
  if (found.has(name) || !existsSync(description)) return found;
  found.add(name);
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(description, "utf8"));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) packagesOf(needed, found);
  return found;
}

/** Throws unless the executable can at least print the help. */
function tryToRun(program: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, "help"]);
  if (exitCode === 0 && stdout.includes("hearth serve")) return;
  throw new Error(`it does not run. ${stderr.toString().trim()}`);
}
