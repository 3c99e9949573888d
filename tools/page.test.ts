// Building the page without the development packages: an earlier build stays, and the installation goes on.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../tests/house/machine/folder.ts";

const checkout = fileURLToPath(new URL("../", import.meta.url));
const folder = temporaryFolder();
const page = join(folder.path, ".page");

beforeAll(() => {
  for (const path of ["tools/page.ts", "server/built-page.ts"])
    cpSync(join(checkout, path), join(folder.path, path), { recursive: true });
});
afterAll(() => folder.remove());

function build(...args: string[]): { exitCode: number; said: string } {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "tools/page.ts", ...args], {
    cwd: folder.path,
  });
  return { exitCode, said: stderr.toString() };
}

test("without a page it says so, and fails only when it was asked for by hand", () => {
  expect(build("--if-possible")).toEqual({
    exitCode: 0,
    said: "The page is built with the development packages, which are not here; so there is none.\n",
  });
  expect(build().exitCode).toBe(1);
  expect(existsSync(page)).toBe(false);
});

test("with one it keeps it", () => {
  mkdirSync(page);
  writeFileSync(join(page, "index.html"), "built before");
  expect(build("--if-possible")).toEqual({
    exitCode: 0,
    said: "The page is built with the development packages, which are not here; the one that was built before stays.\n",
  });
  expect(build().exitCode).toBe(1);
  expect(readFileSync(join(page, "index.html"), "utf8")).toBe("built before");
});
