// The server's message about a field is shown as a sentence.
import { expect, test } from "bun:test";
import { german } from "./parts.de.ts";
import { english } from "./parts.en.ts";

test("the middle of a sentence becomes one, in English and in German", () => {
  const said = "must not be empty";
  expect(english.ofField(said)).toBe("This must not be empty.");
  expect(german.ofField(said)).toBe("Das darf nicht leer sein.");
  expect(german.ofField("must be at most 64 characters")).toBe("Das muss höchstens 64 Zeichen haben.");
});

test("what nobody foresaw is shown as it came", () => {
  const said = "expected string, received undefined";
  expect(english.ofField(said)).toBe(said);
  expect(german.ofField(said)).toContain(said);
});
