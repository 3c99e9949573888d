// The state of many servers: other work gets its turn while it loads, and it is still all of one moment.
import { expect, test } from "bun:test";
import { type SharedServer, serverUpdated } from "../../features/servers/contract.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import type { House } from "../house.ts";
import { streamHead } from "../outbox.ts";
import { loadReady } from "./ready.ts";

onEachEngine("the state of 25 servers", (house) => {
  test("lets others have their turn, and what they change meanwhile is whole in it or not at all", async () => {
    const alice = await house().person("alice");
    const { house: running } = house().running;
    for (let i = 0; i < 25; i++) await alice.makeServer(`Home ${i}`);
    const caller = { userId: alice.id, isBot: false, sessionId: "" };
    const last = (await loadReady(running, caller)).servers.at(-1);
    if (!last) throw new Error("she has 25");

    let isLoading = true;
    let turns = 0;
    let renamed: Promise<void> | undefined;
    const turn = () => {
      turns++;
      renamed ??= rename(running, last.entry as SharedServer, "Elsewhere");
      if (isLoading) setImmediate(turn);
    };
    setImmediate(turn);
    const view = await loadReady(running, caller);
    isLoading = false;
    await renamed;

    expect(turns).toBeGreaterThanOrEqual(2);
    expect(view.servers.map(({ id }) => id)).toHaveLength(25);
    const seen = view.servers.find(({ id }) => id === last.id);
    expect([last.seq, last.seq + 1]).toContain(seen?.seq ?? 0);
    expect(seen?.entry.name).toBe(seen?.seq === last.seq ? last.entry.name : "Elsewhere");
    expect(await streamHead(running.database.read, last.id)).toBe(last.seq + 1);
  });
});

async function rename(house: House, server: SharedServer, name: string): Promise<void> {
  await house.write(async (unit) => {
    await unit.db.updateTable("servers").set({ name }).where("id", "=", server.id).execute();
    unit.emit(serverUpdated, server.id, { ...server, name });
  });
}
