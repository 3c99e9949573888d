// The documents are correct: the table of settings, every link, and every name in the tour.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { closeCode } from "../../protocol/closing.ts";
import { settingsTable } from "../../server/config/settings.ts";

const project = join(import.meta.dir, "../..");
const notOurs = new Set(["node_modules", ".git", "data", "results"]);

function read(path: string): string {
  return readFileSync(join(project, path), "utf8");
}

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path, ending);
    return ending.test(entry.name) ? [path] : [];
  });
}

/** The text without code blocks, in which brackets are no links. */
function prose(path: string): string {
  return read(path).replace(/^```[\s\S]*?^```$/gm, "");
}

interface Link {
  text: string;
  /** Relative to the project; the document itself for a bare anchor. */
  path: string;
  anchor: string | undefined;
}

function linksOf(document: string): Link[] {
  return [...prose(document).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)]
    .map(([, text = "", target = ""]) => ({ text, target }))
    .filter(({ target }) => !/^[a-z]+:/i.test(target))
    .map(({ text, target }) => {
      const [path, anchor] = target.split("#");
      return { text, path: path ? join(dirname(document), path) : document, anchor };
    });
}

/** The anchors of a document's headings, as web pages make them. */
function anchorsOf(document: string): string[] {
  return [...prose(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
}

function isBroken({ path, anchor }: Link): boolean {
  if (relative(project, join(project, path)).startsWith("..") || !existsSync(join(project, path)))
    return true;
  return anchor !== undefined && (!path.endsWith(".md") || !anchorsOf(path).includes(anchor));
}

/** True if the file declares this name: a function, class, constant, type, method or field. */
function declares(path: string, name: string): boolean {
  const word = name.replace(/[^\w$]/g, "");
  const declaration = new RegExp(
    `\\b(?:function|class|const|interface|type)\\s+${word}\\b|^\\s+(?:static |async |readonly |get |#)*${word}\\b\\??[(<:]`,
    "m",
  );
  return declaration.test(read(path));
}

const documents = filesBelow(".", /\.md$/);

test("there are documents to look at", () => {
  for (const expected of ["README.md", "ARCHITECTURE.md", "docs/tour.md", "docs/add-a-feature.md"])
    expect(documents).toContain(expected);
});

test("no document has both sides of a conflict that a merge left", () => {
  expect(documents.filter((document) => /^(<{7} |>{7} )/m.test(read(document)))).toEqual([]);
});

test("the README's table of settings is the one that the settings make", () => {
  const table = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(read("README.md"))?.[1];
  expect(table).toBe(settingsTable());
});

test("the README says of every code that a socket is closed with what a client does then", () => {
  const [said = ""] = /^- Closed with 1001.*$/m.exec(read("README.md")) ?? [];
  const codes = [1001, 1006, 1009, ...Object.values(closeCode).map(({ code }) => code)];
  expect([...new Set(codes)].filter((code) => !said.includes(String(code)))).toEqual([]);
});

test("every relative link of every document leads somewhere", () => {
  const broken = documents.flatMap((document) =>
    linksOf(document)
      .filter(isBroken)
      .map(({ text, path, anchor }) => `${document}: [${text}] → ${path}${anchor ? `#${anchor}` : ""}`),
  );
  expect(broken).toEqual([]);
});

test("every name that a document links to a source file is declared in that file", () => {
  const wrong = documents.flatMap((document) =>
    linksOf(document).flatMap(({ text, path }) => {
      const name = /^`([A-Za-z_$][\w$.]*)`$/.exec(text)?.[1];
      if (
        !name ||
        !path.endsWith(".ts") ||
        name.endsWith(".ts") ||
        isBroken({ text, path, anchor: undefined })
      )
        return [];
      const missing = name.split(".").filter((part) => !declares(path, part));
      return missing.length > 0 ? [`${document}: ${name} is not in ${path}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

test("the tour names no function and no folder that does not exist", () => {
  const everywhere = ["protocol", "features", "server"].flatMap((folder) => filesBelow(folder, /\.ts$/));
  const spans = [...prose("docs/tour.md").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  const names = spans.filter((span) => /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*$/.test(span) && /[a-z]/.test(span));
  const folders = spans.filter((span) => /^[a-z]+\/[\w/.-]*$/.test(span));
  expect(names.length).toBeGreaterThan(20);
  const texts = everywhere.map(read).join("\n");
  const unknown = names.filter((name) =>
    name.split(".").some((part) => !new RegExp(`\\b${part}\\b`).test(texts)),
  );
  expect(unknown).toEqual([]);
  expect(folders.filter((folder) => !existsSync(join(project, folder)))).toEqual([]);
});

test("the tree in ARCHITECTURE.md has every feature and every folder of the project's root", () => {
  const [tree = ""] = /```\n[\s\S]*?```/.exec(read("ARCHITECTURE.md")) ?? [];
  const features = readdirSync(join(project, "features"));
  expect(features.filter((feature) => !new RegExp(`\\b${feature}\\b`).test(tree))).toEqual([]);
  const folders = [...tree.matchAll(/^([a-z]+)\/ /gm)].map(([, folder = ""]) => folder);
  expect(folders.filter((folder) => !statSync(join(project, folder)).isDirectory())).toEqual([]);
});

test("a command that a document tells to run is among the scripts", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const commands = documents.flatMap((document) =>
    [...read(document).matchAll(/\bnpm run (?:--silent )?([\w-]+)/g)].map(([, script = ""]) => script),
  );
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.filter((script) => !(script in scripts))).toEqual([]);
});

test("each attack in SECURITY.md has a number of its own, and names tests that are there", () => {
  const rows = (read("SECURITY.md").match(/^\| [TWM]\d+[a-z]? \|.*\|$/gm) ?? []).map((row) => {
    const [, number = "", , , tests = ""] = row.split(/(?:^| )\|(?: |$)/);
    return { number, tests: testsIn(tests) };
  });
  expect(rows.length).toBeGreaterThan(50);
  const numbers = rows.map(({ number }) => number);
  expect(numbers.filter((number, i) => numbers.indexOf(number) < i)).toEqual([]);
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  const named = rows.flatMap(({ tests }) => tests);
  expect(named.filter((path) => !existsSync(join(project, path)))).toEqual([]);
});

/** Parses `features/files (turns, location), tests/crash`: two tests or folders below the first, and one more path. */
function testsIn(cell: string): string[] {
  return [...cell.matchAll(/([\w./-]+)(?: \(([^)]*)\))?/g)].flatMap(([, path = "", inside]) =>
    inside === undefined ? [path] : inside.split(", ").map((name) => folderOrTest(join(path, name))),
  );
}

function folderOrTest(path: string): string {
  const names = [path, `${path}.long.test.ts`].filter((each) => existsSync(join(project, each)));
  return names[0] ?? `${path}.test.ts`;
}
