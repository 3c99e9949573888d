// Passwords that are guessed first, and those that only look like them.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../../protocol/limits.ts";
import { weaknessOf } from "./weak-password.ts";

const common = new Set(readFileSync(join(import.meta.dir, "guessed-passwords.txt"), "utf8").split("\n"));
const names = ["anna.bell", "Anna@people.example"];

test("the list holds common passwords that are long enough to be taken", () => {
  expect(common.size).toBeGreaterThan(1000);
  expect([...common].filter((each) => each !== "" && each.length < limits.password_min)).toEqual([]);
});

test("common ones and one's own names are poor, whatever the case", () => {
  for (const each of ["password", "12345678", "PassWord", "iloveyou", "qwertyuiop"])
    expect([each, weaknessOf(each, names, common)]).toEqual([each, "common"]);
  for (const each of ["anna.bell", "ANNA.BELL", "anna@people.example", "anna"])
    expect([each, weaknessOf(each, names, common)]).toEqual([each, "own name"]);
});

test("others are not, and nothing is said of an empty field", () => {
  for (const each of ["", "correct horse battery", "anna.bells", "Übergröße1"])
    expect([each, weaknessOf(each, names, common)]).toEqual([each, undefined]);
});
