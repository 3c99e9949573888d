// T60: what comes from elsewhere is pinned by checksum, named with a reason, and runs nothing while it is installed.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

interface Locked {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
}

const described: { dependencies: object; devDependencies: object; allowScripts: object } = JSON.parse(
  read("package.json"),
);
const { "": _ours, ...locked }: Record<string, Locked> = JSON.parse(read("package-lock.json")).packages;

test("every package is locked to one version, with a SHA-512 of what is in it", () => {
  const loose = Object.entries(locked).filter(
    ([, { version, integrity }]) => !version || !integrity?.startsWith("sha512-"),
  );
  expect(loose).toEqual([]);
  expect(Object.keys(locked).length).toBeGreaterThan(50);
});

test("Bun alone has an install script, and alone may run one", () => {
  const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => path)).toEqual(["node_modules/bun"]);
  expect(described.allowScripts).toEqual({ bun: true });
});

test("every package that is asked for by name stands in the first decision, with its reason", () => {
  const reasons = read("docs/decisions/0001-dependencies.md");
  const named = Object.keys({ ...described.dependencies, ...described.devDependencies });
  const unexplained = named.filter((name) => !name.startsWith("@types/") && !reasons.includes(`\`${name}\``));
  expect(unexplained).toEqual([]);
});
