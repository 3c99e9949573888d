// A command that fails ends with a sentence, whichever part of the machine threw the error.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import pg from "pg";
import { CannotStart } from "../cannot-start.ts";
import { told } from "./told-error.ts";

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function ofPostgres(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, "error"), { code });
}

test("no error of a database or of the system is shown as it came", () => {
  const errors = [
    ofPostgres("40P01", "deadlock detected"),
    ofPostgres("55P03", "canceling statement due to lock timeout"),
    ofPostgres("57P01", "terminating connection due to administrator command"),
    ofPostgres("25P03", "terminating connection due to idle-in-transaction timeout"),
    ofPostgres("42501", "permission denied for table users"),
    ofPostgres("P0001", "raised by a trigger"),
    ofPostgres("XX000", "cache lookup failed"),
    new Error("Connection terminated unexpectedly"),
    thrown(() => new Database(":memory:").exec("select from nothing")),
    thrown(() => readFileSync("/nowhere/at all")),
    Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" }),
  ];
  for (const error of errors) {
    expect(told(error)).toMatch(/^[A-Z][^{}\n]+\.$/);
    expect(told(error)).not.toContain("stack");
  }
  expect(told(errors[0])).toBe(
    "Others changed the same in the database at this moment (deadlock detected). Nothing was changed: try again.",
  );
  expect(told(new CannotStart("As it is."))).toBe("As it is.");
});

test("a fault of our own keeps what a report needs", () => {
  expect(JSON.parse(told(new TypeError("undefined is not a function")))).toMatchObject({ type: "TypeError" });
});
