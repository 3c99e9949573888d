// Questions that features ask of later ones: each is named after the file that asks it, and is asked and answered.
import { expect, test } from "bun:test";
import { features } from "../../server/features.ts";
import { codeOf, isTest, sourceFiles } from "./tree.ts";

const program = sourceFiles("features", "server").filter((file) => !isTest(file));
const declared = program.flatMap((file) => {
  const [, place] = /^(?:features|server)\/([^/]+)\//.exec(file.path) ?? [];
  const declarations = codeOf(file).matchAll(/export const (\w+) = question<[^;]*?\(\s*"([^"]+)",?\s*\);/g);
  return [...declarations].map(([, variable = "", name = ""]) => ({ place, variable, name }));
});

test("a question is called by its folder and its variable, so that its name leads to it", () => {
  expect(declared.map(({ name }) => name)).toContain("messages.messageParts");
  expect(declared.map(({ name }) => name)).toEqual(
    declared.map(({ place, variable }) => `${place}.${variable}`),
  );
});

test("each is asked, and answered by a feature; none is answered that is not declared", () => {
  const code = program.map(codeOf).join("\n");
  const unasked = declared.filter(({ variable }) => !new RegExp(`\\.ask\\(\\s*${variable}\\b`).test(code));
  expect(unasked).toEqual([]);
  const answered = features.flatMap(({ answers }) => answers ?? []).map(({ question }) => question.name);
  expect([...new Set(answered)].sort()).toEqual(declared.map(({ name }) => name).sort());
});
