// Which errors of SQLite stop all writes, and the operator's sentence for each; an unreadable page does not stop them.
import { expect, test } from "bun:test";
import { Damaged, InDoubt } from "./database.ts";
import { movedSentence } from "./moved.ts";
import { explained, isAway, isBusy, writeTrouble } from "./sqlite-errors.ts";
import { StorageFault } from "./write-gate.ts";

const fault = (code: string, message = "refused") => Object.assign(new Error(message), { code });
const fails = (code: string) => `the disk of the database fails (${code})`;

/** By code: the reason why writing is impossible, and whether the same call may succeed later. */
const sorted: [code: string, trouble: string | undefined, isAway: boolean][] = [
  ["SQLITE_FULL", "the disk of the database is full", true],
  ["SQLITE_READONLY", "the database file cannot be written to", true],
  ["SQLITE_READONLY_DBMOVED", "the database file cannot be written to", true],
  ["SQLITE_BUSY", "another program holds the database", true],
  ["SQLITE_BUSY_SNAPSHOT", "another program holds the database", true],
  ...["SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_NOMEM"].map(
    (code): [string, string, boolean] => [code, fails(code), true],
  ),
  ["SQLITE_IOERR_READ", undefined, true],
  ["SQLITE_IOERR_SHORT_READ", undefined, true],
  ["SQLITE_IOERR_CORRUPTFS", undefined, true],
  ["SQLITE_IOERR_DATA", undefined, true],
  ["SQLITE_IOERR_NOMEM", undefined, true],
  ["SQLITE_CORRUPT", undefined, false],
  ["SQLITE_NOTADB", undefined, false],
  ["SQLITE_CONSTRAINT_UNIQUE", undefined, false],
  ["SQLITE_ERROR", undefined, false],
];

test("each error is taken for what it is, and said where it keeps all from writing", () => {
  for (const [code, trouble, away] of sorted)
    expect([code, writeTrouble(fault(code)), isAway(fault(code))]).toEqual([code, trouble, away]);
  for (const error of [new StorageFault("full"), new InDoubt("moved away")]) expect(isAway(error)).toBe(true);
  expect([isBusy(fault("SQLITE_BUSY_TIMEOUT")), isBusy(fault("SQLITE_FULL"))]).toEqual([true, false]);
});

test("a database that has moved says where to; any other trigger is a mistake of the program", () => {
  const moved = fault("SQLITE_CONSTRAINT_TRIGGER", movedSentence);
  expect([writeTrouble(moved), isAway(moved)]).toEqual([movedSentence, true]);
  const other = fault("SQLITE_CONSTRAINT_TRIGGER");
  expect([writeTrouble(other), isAway(other)]).toEqual([undefined, false]);
});

test("of a damaged file the log says what to do", () => {
  for (const code of ["SQLITE_CORRUPT", "SQLITE_CORRUPT_INDEX", "SQLITE_NOTADB", "SQLITE_IOERR_CORRUPTFS"])
    expect(explained(fault(code))).toBeInstanceOf(Damaged);
  for (const code of ["SQLITE_FULL", "SQLITE_IOERR_READ", "SQLITE_CONSTRAINT_UNIQUE"]) {
    const error = fault(code);
    expect(explained(error)).toBe(error);
  }
});
