// Comments: each names its subject, as STYLE.md asks, and says "Returns" of a function.
import { expect, test } from "bun:test";
import { slipped } from "./ratchet.ts";
import { type Comment, commentsOf, isTest, type SourceFile, sourceFiles, sourceFolders } from "./tree.ts";

const everything = sourceFiles(...sourceFolders);
const program = sourceFiles("protocol", "features", "server", "client", "cli", "bin").filter(
  (file) => !isTest(file),
);

/** `server/house/unit.ts` → `server/house`; for files beside the rooms, their folder. */
function roomOf({ path }: SourceFile): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

function byRoom(
  files: readonly SourceFile[],
  isCounted: (comment: Comment) => boolean,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const file of files) {
    const count = commentsOf(file).filter(isCounted).length;
    if (count > 0) counts[roomOf(file)] = (counts[roomOf(file)] ?? 0) + count;
  }
  return counts;
}

test("the comments are really read: of one line, of several, and in a row", () => {
  const text = [
    "// Two lines",
    "//   of one.",
    "const a = 1; // not this",
    "/** One. */",
    "  /**",
    "   * Several",
    "   * lines.",
    "   */",
    "  // Three.",
  ].join("\n");
  const found = commentsOf({ path: "a.ts", text, imports: [], loads: [] });
  expect(found).toEqual([
    { text: "Two lines of one.", isDoc: false },
    { text: "One.", isDoc: true },
    { text: "Several lines.", isDoc: true },
    { text: "Three.", isDoc: false },
  ]);
});

test('a doc comment says "Returns" of a function: answers are those of HTTP', () => {
  const answering = byRoom(program, ({ text, isDoc }) => isDoc && /(^|\. )Answers\b/.test(text));
  expect(slipped(answering, 0, {}, { unit: "functions that answer", remedy: 'write "Returns"' })).toEqual([]);
});

test("no comment hides its subject behind the word that it begins with: it names a person, a row, a number", () => {
  const found = byRoom(everything, ({ text }) =>
    /^(What|Whatever|Who|Whoever|Whom|Whose|Somebody|Those|Of|So (many|long|few|much))\b/.test(text),
  );
  expect(slipped(found, 0, {}, { unit: "riddles", remedy: "name the subject first" })).toEqual([]);
});

test('a doc comment says "True if" of a flag, and names a place, an address or a point in time', () => {
  const found = byRoom(everything, ({ text, isDoc }) => isDoc && /^(Whether|Where)\b/.test(text));
  expect(slipped(found, 0, {}, { unit: "clauses", remedy: "begin with True if, or with a noun" })).toEqual(
    [],
  );
});
