// A failing command ends with a sentence, whichever part of the machine threw the error.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import pg from "pg";
import { CannotStart } from "../cannot-start.ts";
import { told, toldError } from "./told-error.ts";

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

test("an error is logged by its kind and its origin, without the data that it carries along", () => {
  const carried = {
    detail: "Key (email)=(ada@example.org)",
    where: "a row",
    query: "select 1",
    internal: "a",
  };
  const facts = {
    severity: "ERROR",
    schema: "public",
    table: "users",
    column: "email",
    constraint: "email_key",
  };
  const logged = toldError(Object.assign(ofPostgres("23505", "duplicate key"), carried, facts));
  expect(Object.keys(logged).sort()).toEqual(
    ["type", "message", "stack", "code", ...Object.keys(facts)].sort(),
  );
  expect(logged).toMatchObject({ type: "DatabaseError", message: "duplicate key", code: "23505", ...facts });
  // A numeric column is a position in a parsed text.
  const ofSystem = Object.assign(new Error("no"), { errno: -2, syscall: "open", status: 404, column: 7 });
  expect(toldError(ofSystem)).toMatchObject({ errno: -2, syscall: "open", status: 404 });
  expect(toldError(ofSystem)).not.toHaveProperty("column");
  expect(toldError("just a word")).toEqual({ type: "string", message: "just a word" });
});

test("what an error says is cut, and causes are followed three deep, four of several side by side", () => {
  const words = "word ".repeat(4000);
  const long = toldError(Object.assign(new Error(words), { code: words, stack: words }));
  const lengths = [long.message, long.stack, long.code].map((text) => String(text).length);
  for (const [i, most] of [2000, 6000, 200].entries()) expect(lengths[i]).toBeWithin(most - 10, most + 40);
  const deep = new Error("1", {
    cause: new Error("2", { cause: new Error("3", { cause: new Error("4") }) }),
  });
  expect(toldError(deep)).toMatchObject({ cause: { message: "2", cause: { message: "3" } } });
  expect(JSON.stringify(toldError(deep))).not.toContain('"message":"4"');
  const several = new AggregateError(
    Array.from({ length: 5 }, (_, i) => new Error(`part ${i}`)),
    "all",
  );
  const { errors } = toldError(several) as { errors: { message: string }[] };
  expect(errors.map(({ message }) => message)).toEqual(["part 0", "part 1", "part 2", "part 3"]);
});

test("a fault of our own keeps what a report needs", () => {
  expect(JSON.parse(told(new TypeError("undefined is not a function")))).toMatchObject({ type: "TypeError" });
});
