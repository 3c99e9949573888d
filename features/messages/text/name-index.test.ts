// Names of roles and channels in texts, in any script and case.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { name as shapeOfNames } from "../../../protocol/shapes.ts";
import { askedIn, callsIn } from "../mentions.ts";
import { inSmall, nameOf } from "./name-index.ts";

const nobody = { people: new Map<string, string>(), channels: new Map<string, string>(), everyone: true };
const called = (text: string, names: readonly string[]) => {
  const roles = new Map(names.map((name) => [inSmall(name), name]));
  return [...callsIn(text, { ...nobody, roles })].map(({ id }) => id);
};

test("a dotted capital I is one letter", () => {
  const names = ["İstanbul", "İİ", "Istanbul", "i\u0307x", "Hİ"];
  for (const name of names) expect([name, called(`@${name} hello`, names)]).toEqual([name, [name]]);
  for (const text of ["(@İSTANBUL)", "@İstanbul", "@İstanbul: @İstanbullu"])
    expect([text, called(text, names)]).toEqual([text, ["İstanbul"]]);
});

test("a sigma is the same letter wherever the word ends", () => {
  for (const text of ["@ΟΔΟΣ hello", "@οδος", "@οδοσ", "@ΟΔΟΣ.α", "@Οδος:α", "@ΟΔΟΣ's"])
    expect([text, called(text, ["Οδος"])]).toEqual([text, ["Οδος"]]);
});

test("small letters are as many as those that they stand for", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const sign = String.fromCodePoint(code);
    if (inSmall(sign).length !== sign.length) expect(code.toString(16)).toBe("as long as before");
  }
});

/** Letters with unusual case mappings must stay literal in every other name. */
const unusual = fc.constantFrom(..."İıIiςσΣßẞŉǰΐﬁǅͅ𐐀𐐨Å̊´ʼ̇ .-_'*`@#<&");
const anyName = fc
  .string({
    unit: fc.oneof(unusual, fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
    maxLength: 12,
  })
  .map((text) => text.trim())
  .filter((text) => shapeOfNames(100).safeParse(text).success && !/^everyone/i.test(text));

test("a call of a name by itself calls that name, whatever others there are", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyName, { minLength: 1, maxLength: 8, selector: same }), (names) => {
      for (const name of names) expect(called(`@${name} hello`, names)).toEqual([name]);
    }),
    { numRuns: 300, seed: 20_261_126 },
  );
});

/** Names that are equal in lower case count as one. */
function same(name: string): string {
  return inSmall(name).replaceAll("ς", "σ");
}

/** A directory in which every name that a text could mention exists. */
class Everybody extends Map<string, string> {
  override get(name: string): string {
    return name;
  }
}

test("whoever a text can call is asked for", () => {
  const pieces = fc.constantFrom(
    ..."@ @ @ann . - _ * ** ` ~~~ > # [ ] ( ) \\ / x é \n".split(" "),
    " ",
    "<@",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const text = parts.join("");
      const { names } = askedIn(text);
      const calls = [...callsIn(text, { ...nobody, people: new Everybody(), roles: new Map() })];
      expect(calls.map(({ id }) => id).filter((id) => id !== "" && !names.includes(id))).toEqual([]);
    }),
    { numRuns: 2000, seed: 20_261_126 },
  );
});

test("an id has its name", () => {
  const known = new Map([["ann", "1"]]);
  expect([nameOf("1", known), nameOf("2", known)]).toEqual(["ann", undefined]);
});
