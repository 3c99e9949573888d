// The form's checks of registration fields agree with the server's.
import { describe, expect, test } from "bun:test";
import { register } from "../contract.ts";
import { type Answers, faultOf, fieldNames, firstFault, noAnswers } from "./answers.ts";

const right: Answers = {
  email: "alice@people.example",
  username: "alice",
  display_name: "Alice",
  password: "correct horse battery",
};

/** True if the operation's schema accepts this value in this field. */
function isTaken(name: keyof Answers, value: string): boolean {
  return register.body.safeParse({ ...right, [name]: value }).success;
}

const tried: { readonly [name in keyof Answers]: readonly string[] } = {
  email: [
    "",
    "alice",
    "alice@",
    "@people.example",
    "a b@people.example",
    " alice@people.example ",
    `${"a".repeat(65)}@people.example`,
  ],
  username: [
    "",
    "a",
    "al",
    "a".repeat(32),
    "a".repeat(33),
    "al ice",
    "alice ",
    " alice",
    ` ${"a".repeat(32)} `,
    " a ",
    "here ",
    "älice",
    "a.l-i_c3",
    "Everyone",
    "here",
    "here._-",
    "here.a",
  ],
  display_name: ["", " ", "A", "ä".repeat(64), "A".repeat(65), "☀️ Alice"],
  password: ["", "1234567", "12345678", "a".repeat(256), "a".repeat(257), "pässwörd"],
};

describe("what is typed into a field", () => {
  for (const name of fieldNames)
    test(`${name}: the page finds fault with what the server refuses, and with nothing else`, () => {
      const seen = tried[name].map((value) => [value, faultOf(name, value) === undefined]);
      expect(seen).toEqual(tried[name].map((value) => [value, isTaken(name, value)]));
    });
});

test("the first field that is wrong is the one to go to", () => {
  expect(firstFault(noAnswers)).toBe("email");
  expect(firstFault({ ...right, password: "short" })).toBe("password");
  expect(firstFault(right)).toBeUndefined();
});
