// Which errors mean that PostgreSQL is away: people are told to try again, and not that something is wrong with us.
import { expect, test } from "bun:test";
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { isConnectionLoss } from "./postgres-errors.ts";

test("a name that leads nowhere, a network that is not there, and no descriptors left for a connection", async () => {
  const unknown = await lookup("database.invalid").catch((error: unknown) => error);
  expect(isConnectionLoss(unknown)).toBe(true);
  const nowhere = await new Promise((failed) => connect(1, "127.0.0.1").once("error", failed));
  expect(isConnectionLoss(nowhere)).toBe(true);
  for (const code of ["EAI_AGAIN", "ENETUNREACH", "ENETDOWN", "EMFILE", "EADDRNOTAVAIL"])
    expect(isConnectionLoss(Object.assign(new Error(code), { code }))).toBe(true);
});

test("what PostgreSQL itself refuses, a missing file or a mistake in the program is none", () => {
  for (const code of ["23505", "22P02", "42P01", "40001", "ENOENT", "ERR_INVALID_ARG_TYPE"])
    expect(isConnectionLoss(Object.assign(new Error("refused"), { code }))).toBe(false);
});
