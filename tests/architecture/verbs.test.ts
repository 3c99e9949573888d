// Features export verbs to others that do all that belongs to a change, never a bare SQL statement.
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { codeOf, featureOf, isTest, type SourceFile, sourceFiles } from "./tree.ts";

const files = sourceFiles("features").filter((file) => !isTest(file));

/** Files that declare a table: a write in them is a statement, whoever calls it. */
const stores = files.filter((file) => /interface Tables \{/.test(file.text));

const statement =
  /\.(?:append|insertInto|updateTable|deleteFrom|replaceInto)\(|`\s*(?:insert into|update|delete from)\b/i;
/** Functions of the machine that write. */
const writers = /\b(?:decideOnce|keep|deletePiece|insertRows)\(/;

/** Names of a file's functions and prepared queries that change rows, directly or through one another. */
function changersOf(file: SourceFile): Set<string> {
  const bodies = codeOf(file)
    .split(/^(?=(?:export|async|function|const|interface|type|declare|import)\b)/m)
    .map((body) => ({ name: /^(?:export )?(?:async )?(?:function\*?|const) (\w+)/.exec(body)?.[1], body }));
  const changers = new Set<string>();
  for (let known = -1; known < changers.size; ) {
    known = changers.size;
    for (const { name, body } of bodies) {
      const calls = [...changers].some((each) => new RegExp(`\\b${each}\\(`).test(body));
      if (name && (calls || statement.test(body) || writers.test(body))) changers.add(name);
    }
  }
  return changers;
}

const changers = new Map(stores.map((file) => [file.path, changersOf(file)]));

/** `from`: the path, from the root, of the file that the names are imported from. */
function takings(file: SourceFile, word: "import" | "export"): { names: string[]; from: string }[] {
  const pattern = new RegExp(`^${word} (?:\\{([^}]*)\\}|(\\*[^"]*)) from "(\\.[^"]+)"`, "gm");
  return [...codeOf(file).matchAll(pattern)].map(([, list, all, path = ""]) => {
    const from = join(dirname(file.path), path);
    return { names: all ? [...(changers.get(from) ?? [])] : namesIn(list), from };
  });
}

/** `type A, b as c` → `b`. */
function namesIn(list = ""): string[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => each.split(" as ")[0] ?? "");
}

/** Statements that a file re-exports unchanged, under whatever name. */
function handedOn(file: SourceFile): string[] {
  const isStatement = (from: string, name: string) => changers.get(from)?.has(name) === true;
  const again = takings(file, "export").flatMap(({ names, from }) =>
    names.filter((name) => isStatement(from, name)),
  );
  const known = takings(file, "import").flatMap(({ names, from }) =>
    names.filter((name) => isStatement(from, name)),
  );
  const code = codeOf(file);
  const listed = [...code.matchAll(/^export \{([^}]*)\};/gm)].flatMap(([, list]) => namesIn(list));
  const renamed = [...code.matchAll(/^export const \w+ = (\w+);/gm)].map(([, name = ""]) => name);
  return [...again, ...[...listed, ...renamed].filter((name) => known.includes(name))];
}

test("the statements are really found, those behind another function too", () => {
  const accounts = [...(changers.get("features/accounts/store.ts") ?? [])];
  expect(accounts).toEqual(expect.arrayContaining(["updateUser", "insertPerson", "claimInstance"]));
  expect(accounts).not.toContain("selectUser");
  const written = [...changers.values()].reduce((sum, names) => sum + names.size, 0);
  expect(written).toBeGreaterThan(80);
  const named = /^(insert|update|upsert|delete|mark|remove|replace)[A-Z]/;
  const missed = stores.flatMap((file) =>
    [...codeOf(file).matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => named.test(name) && !changers.get(file.path)?.has(name)),
  );
  expect(missed).toEqual([]);
});

test("no statement that changes rows is handed on: others say what is to happen, and what belongs to it happens too", () => {
  expect(files.flatMap((file) => handedOn(file).map((name) => `${file.path} → ${name}`))).toEqual([]);
});

test("nobody takes one from the files of another feature either", () => {
  const wrong = files.flatMap((file) =>
    takings(file, "import")
      .filter(({ from }) => featureOf(from) !== featureOf(file.path))
      .flatMap(({ names, from }) => names.filter((name) => changers.get(from)?.has(name)))
      .map((name) => `${file.path} → ${name}`),
  );
  expect(wrong).toEqual([]);
});
