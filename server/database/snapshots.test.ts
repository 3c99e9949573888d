// Connections that hold a read transaction: what went wrong in one is told, and it can be used again.
import { Database as SQLite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { snapshotConnections } from "./snapshots.ts";

test("a read that fails and takes its transaction along, as on a failing disk, is told by its own error", async () => {
  const snapshots = snapshotConnections(1, () => ({ connection: new SQLite(":memory:") }));
  const fails = new Error("disk I/O error");
  const failing = snapshots.run(async ({ connection }) => {
    connection.exec("ROLLBACK");
    throw fails;
  });
  expect(await failing.catch((error: unknown) => error)).toBe(fails);
  expect(await snapshots.run(async ({ connection }) => connection.inTransaction)).toBe(true);
  await snapshots.close(() => {});
});
