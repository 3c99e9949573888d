// What is said of a ceremony that came to nothing, by the names of errors that WebAuthn lists.
import { expect, test } from "bun:test";
import { outcomeOf } from "./capable.ts";

test("each refusal of the browser has its sentence; what is no refusal is an error of its own", () => {
  const outcomes = [
    "NotAllowedError",
    "AbortError",
    "InvalidStateError",
    "SecurityError",
    "NotSupportedError",
  ];
  expect(outcomes.map((name) => outcomeOf(new DOMException("", name)))).toEqual([
    "cancelled",
    "cancelled",
    "known",
    "address",
    "browser",
  ]);
  expect(outcomeOf(new TypeError())).toBeUndefined();
});
