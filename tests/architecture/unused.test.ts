// Every word of the page's catalogues, class of its style sheets, and export of a file is used somewhere.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { codeOf, everyPath, isTest, isTestFile, type SourceFile, sourceFiles } from "./tree.ts";

const isCatalogue = ({ path }: SourceFile) => /(words|parts)\.(en|de)\.ts$|^web\/words\//.test(path);
const page = sourceFiles("web", "features")
  .filter((file) => /^web\/|\/view\//.test(file.path) && !isTest(file) && !isCatalogue(file))
  .map((file) => ({ ...file, code: codeOf(file).replace(/\bfrom ".*"/g, "") }));

/** Parts of the English catalogue; the compiler ensures that the German one has the same words. */
const parts = ["first.en", "gate.en", "en", "rest.en", "pages.en"];

/** The paths of keys to each word: shell, keyNames, switcher. */
function pathsIn(words: object | string): string[][] {
  // An array of samples is one word.
  if (typeof words !== "object" || Array.isArray(words)) return [[]];
  return Object.entries(words).flatMap(([key, inside]) => pathsIn(inside).map((path) => [key, ...path]));
}

/**
 * A word is used by a file that names its group and accesses the word on the group or on the object around it: by its
 * name, or by a key in brackets, as for an item chosen from a list.
 */
function isUsed([group = "", ...keys]: string[]): boolean {
  const last = keys.at(-1) ?? "";
  const around = `\\b(?:${["words", group, ...keys.slice(0, -1)].join("|")})`;
  const named = new RegExp(
    `${around}(?:\\(\\))?\\??\\.${last}\\b|[{,]\\s*${last}\\b[^{}]*\\}\\s*=\\s*${around}\\b`,
  );
  const chosen = new RegExp(`${around}\\[`);
  const grouped = new RegExp(`\\b${group}\\b`);
  const uses = (code: string) => (/^\w+$/.test(last) && named.test(code)) || chosen.test(code);
  return page.some(({ code }) => grouped.test(code) && uses(code));
}

test("every word of the catalogues is said somewhere", async () => {
  const loaded = await Promise.all(parts.map((part) => import(`../../web/words/${part}.ts`)));
  const all = loaded.flatMap(({ words }) => pathsIn(words));
  expect(all.length).toBeGreaterThan(800);
  expect(all.filter((path) => !isUsed(path)).map((path) => path.join("."))).toEqual([]);
});

/** Includes tests and their harness. A type used only in signatures of its own file needs no export. */
test("every function, class, value and type that a file exports is imported somewhere", () => {
  const code = sourceFiles(
    ...["protocol", "features", "client", "server", "cli"],
    ...["tools", "bench", "tests", "web"],
  );
  const words = new Map(code.map((file) => [file.path, new Set(codeOf(file).match(/\w+/g))]));
  const pairs = code.flatMap(({ path, imports }) => imports.map((from) => ({ path, from })));
  const importers = Map.groupBy(pairs, ({ from }) => from);
  const isImported = (path: string, name: string) =>
    (importers.get(path) ?? []).some((other) => words.get(other.path)?.has(name));
  const exported = code
    .filter((file) => !isTestFile(file.path) && !isCatalogue(file))
    .flatMap((file) =>
      [...codeOf(file).matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)].map(
        ([, name = ""]) => ({ path: file.path, name }),
      ),
    );
  expect(exported.length).toBeGreaterThan(3000);
  const unused = exported.filter(({ path, name }) => !isImported(path, name));
  expect(unused.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

describe("style sheets", () => {
  const sheets = [...everyPath("web"), ...everyPath("features")]
    .filter((path) => path.endsWith(".module.css"))
    .map((path) => ({
      path,
      classes: classesIn(read(path)),
      users: page.filter((file) => file.imports.includes(path)),
    }));

  test("have no class that no view has", () => {
    expect(sheets.length).toBeGreaterThan(70);
    const unused = sheets.flatMap(({ path, classes, users }) =>
      [...classes]
        .filter((name) => !users.some((user) => hasClass(user, path, name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(unused).toEqual([]);
  });

  test("have each class that a view asks them for", () => {
    const missing = sheets.flatMap(({ path, classes, users }) =>
      users.flatMap((user) =>
        askedFor(user, path)
          .filter((name) => !classes.has(name))
          .map((name) => `${user.path}: ${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
}

/** Leaves out the global classes of libraries. */
function classesIn(css: string): Set<string> {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/:global\([^)]*\)/g, "");
  const selectors = [...rules.matchAll(/([^{};]+)\{/g)].map(([, selector = ""]) => selector);
  return new Set(
    selectors.flatMap((selector) =>
      [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name),
    ),
  );
}

/** The name under which a file imports a style sheet: `styles`. */
function nameOf({ text }: SourceFile, path: string): string {
  const sheet = path.split("/").at(-1)?.replaceAll(".", "\\.");
  return new RegExp(`import (\\w+) from "[^"]*${sheet}"`).exec(text)?.[1] ?? "styles";
}

function askedFor(user: SourceFile, path: string): string[] {
  return [...codeOf(user).matchAll(new RegExp(`(?<![/\\w])${nameOf(user, path)}\\.(\\w+)`, "g"))].map(
    ([, name = ""]) => name,
  );
}

/** True as well for any access by a key in brackets, whose value is only known at run time. */
function hasClass(user: SourceFile, path: string, name: string): boolean {
  if (askedFor(user, path).includes(name)) return true;
  return codeOf(user).includes(`${nameOf(user, path)}[`);
}
