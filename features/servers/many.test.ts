// A member of hundreds of servers: listing them, and removing a bot from all, yields to other work.

import { beforeAll, expect, test } from "bun:test";
import { serverStream } from "../../server/place.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Server } from "./contract.ts";

onEachEngine("hundreds of servers", (house) => {
  /** Queries to PostgreSQL yield by themselves, and take longer. */
  const count = () => (house().engine === "SQLite" ? 400 : 40);

  /** Servers owned by somebody else, with these people as members. */
  async function joined(...people: readonly { id: string }[]): Promise<string[]> {
    const owner = await house().person("olga");
    return fillServers(house().running.house, count(), [owner, ...people], { channels: 0, roles: 1 });
  }

  let bob: Awaited<ReturnType<ReturnType<typeof house>["person"]>>;
  beforeAll(async () => {
    bob = await house().person("bob");
  });

  test("are listed completely and in order, in pieces", async () => {
    const ids = await joined(bob);
    const { answer, rowsInOneTurn } = await statementsOf(house(), () => bob.get<Server[]>("/servers"));
    expect(answer.body.map((server) => server.id)).toEqual([...ids].sort());
    expect(rowsInOneTurn).toBeLessThanOrEqual(2 * count() + 450);
  });

  test("of many bots, each in all of them, are told to their owner in pieces", async () => {
    const bots: { id: string }[] = [];
    for (let i = 0; i < 15; i++) bots.push((await bob.post<{ id: string }>("/bots", { name: "Rex" })).body);
    const ids = (await joined(...bots)).sort();
    const { answer, rowsInOneTurn } = await statementsOf(house(), () =>
      bob.get<{ id: string; server_ids: string[] }[]>("/bots"),
    );
    const told = new Map(answer.body.map((bot) => [bot.id, bot.server_ids]));
    for (const { id } of bots) expect(told.get(id)).toEqual(ids);
    expect(rowsInOneTurn).toBeLessThanOrEqual(5 * count() + 200);
  });

  test("lose a deleted bot one after the other, and all of them", async () => {
    const bot = (await bob.post<{ id: string }>("/bots", { name: "Rover" })).body;
    const ids = await joined(bot);
    const { answer, rowsInOneTurn } = await statementsOf(house(), () => bob.delete(`/bots/${bot.id}`));
    expect(verdict(answer)).toBe("204");
    expect(rowsInOneTurn).toBeLessThanOrEqual(count() + 200);
    const { read } = house().running.house.database;
    const left = read.selectFrom("members").select("server_id").where("user_id", "=", bot.id);
    expect(await left.execute()).toEqual([]);
    const told = await read
      .selectFrom("streams")
      .select("seq")
      .where("stream", "in", ids.map(serverStream))
      .execute();
    expect(told.every((stream) => stream.seq === 2)).toBe(true);
  });
});
