// T60: dependencies are pinned by checksum, listed with a reason, and run no install scripts.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

interface Locked {
  /** The package's own name, if its path has another one. */
  name?: string;
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
}

const described: Record<"dependencies" | "devDependencies" | "allowScripts" | "scarfSettings", object> =
  JSON.parse(read("package.json"));
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

test("no package reports that it was installed: in place of what Swagger UI brings for that lies one that does nothing", () => {
  expect(Object.keys(locked["node_modules/swagger-ui-dist"]?.dependencies ?? {})).toEqual(["@scarf/scarf"]);
  const stands = Object.entries(locked).filter(([path, { name = path }]) => /scarf/.test(path + name));
  expect(stands.map(([path, { name }]) => [path, name])).toEqual([
    ["node_modules/@scarf/scarf", "@favware/skip-dependency"],
  ]);
  const folder = fileURLToPath(new URL("../../node_modules/@scarf/scarf/", import.meta.url));
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  const whileInstalling = /^(pre|post)?(install|prepare|publish)|^(pre|post)?pack$|^dependencies$/;
  expect(Object.keys(scripts).filter((name) => whileInstalling.test(name))).toEqual([]);
  const code = readdirSync(folder).filter((name) => /\.[cm]?js$/.test(name));
  expect(code.map((name) => readFileSync(folder + name, "utf8").length).every((size) => size < 100)).toBe(
    true,
  );
  // Should the package itself ever be installed, it reads this setting before it reports.
  expect(described.scarfSettings).toEqual({ enabled: false });
});

test("every package that is asked for by name stands in the first decision, with its reason", () => {
  const reasons = read("docs/decisions/0001-dependencies.md");
  const named = Object.keys({ ...described.dependencies, ...described.devDependencies });
  const unexplained = named.filter((name) => !name.startsWith("@types/") && !reasons.includes(`\`${name}\``));
  expect(unexplained).toEqual([]);
});
