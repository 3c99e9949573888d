// The TypeScript programs: client code has no Bun types, the server no browser types, an event's shape fits its kind.
import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { untilEnd } from "../house/machine/process.ts";

const project = join(import.meta.dir, "../..");
const folder = temporaryFolder();
afterAll(() => folder.remove());
symlinkSync(join(project, "node_modules"), join(folder.path, "node_modules"));

/** Returns those of these lines that do not compile, each as a file of its own, with the settings of `config`. */
async function refused(config: string, lines: readonly string[]): Promise<string[]> {
  const files = lines.map((line, i) => {
    writeFileSync(join(folder.path, `line-${i}.ts`), `${line}\nexport {};\n`);
    return `line-${i}.ts`;
  });
  const extended = { extends: join(project, config), include: [], files };
  writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify(extended));
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const child = spawn(process.execPath, [tsc, "--noEmit", "--pretty", "false", "-p", folder.path], {
    cwd: folder.path,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stdout } = await untilEnd(child, 50_000);
  const named = [...stdout.matchAll(/line-(\d+)\.ts\(\d+,\d+\): error/g)].map(([, i]) => Number(i));
  return lines.filter((_, i) => named.includes(i));
}

const ofBrowsers = ["document.title;", "window.scrollTo(0, 0);"];
const ofBun = [
  "Bun.sleep(1);",
  'import "bun:sqlite";',
  'import "node:fs";',
  "process.exit();",
  "Buffer.from([]);",
];
const ofBoth = [
  'new WebSocket("wss://chat.example.org/ws").close();',
  "clearTimeout(setTimeout(() => {}, 1));",
];

/** Code that declares an event with an id, of a kind that carries the type `carried`. */
const declaring = (carried: string) => `import { z } from "zod";
import { event, kind } from "${project}/protocol/event.ts";
const shape = z.object({ id: z.string() });
type Kind = Parameters<typeof event<${carried}, typeof shape>>[0];
export const said: Kind = kind<${carried}>("SAID");`;

test("a name of Bun's or of Node.js in client/ does not compile; what browsers have does", async () => {
  expect(await refused("client/tsconfig.json", [...ofBun, ...ofBrowsers, ...ofBoth])).toEqual(ofBun);
});

test("a name of browsers in server/ does not compile, nor does a shape that its kind of event does not fit", async () => {
  const [fits, fails] = [declaring("{ id: string }"), declaring("{ id: number }")];
  const lines = [...ofBun, ...ofBrowsers, ...ofBoth, fits, fails];
  expect(await refused("tsconfig.json", lines)).toEqual([...ofBrowsers, fails]);
});
