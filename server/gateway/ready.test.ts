// The state of many servers: other work gets its turn while it loads, and it is still all of one moment.

import { expect, test } from "bun:test";
import { type SharedServer, serverUpdated } from "../../features/servers/contract.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import type { House } from "../house/house.ts";
import { headOf } from "../house/log-table.ts";
import { UnitOfWork } from "../house/unit.ts";
import { serverPlace, serverStream } from "../place.ts";
import { loadReady } from "./ready.ts";

onEachEngine("the state of 210 servers", (house) => {
  test("lets others have their turn, and what they change meanwhile is whole in it or not at all", async () => {
    const alice = await house().person("alice");
    const { house: running } = house().running;
    await fillServers(running, 210, [alice]);
    const caller = { userId: alice.id, isBot: false, sessionId: "" };
    const last = (await loadReady(running, caller)).servers.at(-1);
    if (!last) throw new Error("she has that many");
    const before: SharedServer = JSON.parse(last.json);

    let isLoading = true;
    let turns = 0;
    let renamed: Promise<void> | undefined;
    const turn = () => {
      turns++;
      renamed ??= rename(running, before, "Elsewhere");
      if (isLoading) setImmediate(turn);
    };
    setImmediate(turn);
    const view = await loadReady(running, caller);
    isLoading = false;
    await renamed;

    expect(turns).toBeGreaterThanOrEqual(2);
    expect(view.servers.map(({ id }) => id)).toHaveLength(210);
    const seen = view.servers.find(({ id }) => id === last.id);
    expect([last.seq, last.seq + 1]).toContain(seen?.seq ?? 0);
    const { name } = JSON.parse(seen?.json ?? "");
    expect(name).toBe(seen?.seq === last.seq ? before.name : "Elsewhere");
    expect((await headOf(running.database.read, serverStream(last.id))).seq).toBe(last.seq + 1);
  });
});

onEachEngine("a snapshot", (house) => {
  test("is asked once for each fact, because it cannot change; a transaction is asked again, because it can", async () => {
    const { house: running } = house().running;
    const reads = { snapshot: 0, direct: 0 };
    for (const reading of ["snapshot", "direct"] as const) {
      const unit = new UnitOfWork(running, running.database.read, reading);
      const read = () => unit.remember("server:one", "a part", async () => ++reads[reading]);
      expect([await read(), await read()]).toEqual(reading === "snapshot" ? [1, 1] : [1, 2]);
      await unit.remember("server:one", "another part", async () => ++reads[reading]);
      await unit.remember("server:another", "a part", async () => ++reads[reading]);
    }
    expect(reads).toEqual({ snapshot: 3, direct: 4 });
  });
});

async function rename(house: House, server: SharedServer, name: string): Promise<void> {
  await house.write(async (unit) => {
    await unit.db.updateTable("servers").set({ name }).where("id", "=", server.id).execute();
    unit.emit(serverUpdated, serverPlace(server.id), { ...server, name });
  });
}
