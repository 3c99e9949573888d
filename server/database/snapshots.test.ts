// Connections that hold a read transaction: a failure is reported by its own error, and the connection stays usable.
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

test("closing waits for a read that goes on, opens no connection meanwhile, and leaves other work its turns", async () => {
  let opened = 0;
  const snapshots = snapshotConnections(2, () => {
    if (++opened > 2) throw new Error("one more is opened");
    return { connection: new SQLite(":memory:") };
  });
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const long = snapshots.run(() => isOver);
  await snapshots.run(async () => {});
  const closed: unknown[] = [];
  const closing = snapshots.close((each) => closed.push(each));
  await new Promise((turn) => setImmediate(turn));
  expect(closed).toHaveLength(1);
  end();
  await Promise.all([long, closing]);
  expect([opened, closed.length]).toEqual([2, 2]);
});
