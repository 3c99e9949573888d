// Each part of an instance that a health check names has a word in the console, in every language.
import { expect, test } from "bun:test";
import { german } from "../../features/administration/view/words.de.ts";
import { english } from "../../features/administration/view/words.en.ts";
import { codeOf, isTest, sourceFiles } from "./tree.ts";

test("every part that a check is about has its word", () => {
  const files = sourceFiles("features").filter((file) => !isTest(file) && /doctor|\/check-/.test(file.path));
  const parts = files.flatMap((file) =>
    [...codeOf(file).matchAll(/\babout = "([^"]+)"|\bfinding\("([^"]+)"/g)].map(
      ([, one, other]) => one ?? other,
    ),
  );
  expect(parts.length).toBeGreaterThan(15);
  for (const { checks } of [english, german])
    expect(Object.keys(checks)).toEqual(expect.arrayContaining(parts));
});
