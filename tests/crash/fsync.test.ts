// No acknowledgement before the data is on disk: counts the syncs in the kernel while messages are acknowledged.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { inFlight } from "../../tools/client/in-flight.ts";
import { say } from "../../tools/client/person.ts";
import { openRoom, type Room } from "../../tools/client/room.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { freshMetrics } from "../house/servers/metrics.ts";
import { canTrace, syncs, tracedInto } from "./trace.ts";

const traceable = canTrace();

describe.skipIf(!traceable)("under strace (skipped where it is absent or forbidden)", () => {
  const folder = temporaryFolder();
  const trace = join(folder.path, "trace");
  let server: ServerProcess;
  let room: Room;

  beforeAll(async () => {
    server = await startServer({
      settings: { DATA_DIR: join(folder.path, "data") },
      under: tracedInto(trace),
    });
    room = await openRoom(server.url, { owner: "olga", channels: ["ledger"], members: [] });
  }, 400_000);

  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  test("a message posted alone is synced to disk before its answer, each of 50", async () => {
    for (let number = 1; number <= 50; number++) {
      const before = syncs(trace).length;
      await say(room.owner, room.channels.get("ledger") as string, `entry ${number}`, `alone-${number}`);
      expect(syncs(trace).length).toBeGreaterThan(before);
    }
  });

  test("of 500 messages posted together, none is answered without a sync since its sending, nor a commit", async () => {
    const syncsBefore = syncs(trace).length;
    const commitsBefore = await commits(server.url);
    const windows: [number, number][] = [];
    await inFlight(Array.from({ length: 500 }), 64, async (_, number) => {
      const sent = Date.now();
      await say(
        room.owner,
        room.channels.get("ledger") as string,
        `together ${number}`,
        `together-${number}`,
      );
      // The trace has a finer resolution than this clock.
      windows.push([sent, Date.now() + 1]);
    });
    const committed = (await commits(server.url)) - commitsBefore;
    const moments = syncs(trace).slice(syncsBefore);
    const without = windows.filter(([sent, answered]) => !moments.some((at) => at >= sent && at <= answered));
    expect(without).toEqual([]);
    expect(committed).toBeGreaterThan(0);
    expect(moments.length).toBeGreaterThanOrEqual(committed);
  });
});

/** Number of shared commits: other transactions of the house may have nothing to write or to sync. */
async function commits(url: string): Promise<number> {
  return (await freshMetrics(url)).get("hearth_rows_per_shared_commit_count") ?? Number.NaN;
}
