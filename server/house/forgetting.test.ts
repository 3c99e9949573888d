// Caches drop what an event makes untrue, and nothing else: a join costs other members no look-up, and no post its commit.
import { expect, spyOn, test } from "bun:test";
import { memberAdded } from "../../features/members/contract.ts";
import { onOneProcess, type TestHouse } from "../../tests/house/engines.ts";
import { neighbours } from "../../tests/house/home.ts";
import type { TestPerson } from "../../tests/house/people.ts";
import { stored } from "../../tests/house/read-states.ts";
import { statementsOf } from "../../tests/house/statements.ts";
import { until } from "../../tests/house/waiting.ts";
import { serverPlace } from "../place.ts";

/** How many statements a post of this person's takes. */
async function costOf(house: TestHouse, person: TestPerson, channelId: string): Promise<number> {
  return (await statementsOf(house, () => person.say(channelId, "hello"))).statements.length;
}

onOneProcess("a process that remembers", (house) => {
  test("forgets of a server who came, who left or what changed, and asks again for nothing else", async () => {
    const { alice, bob, mallory, home } = await neighbours(house());
    await alice.say(home.general.id, "hello");
    await bob.say(home.general.id, "hello");
    const usual = await costOf(house(), alice, home.general.id);
    await alice.bringIn(home.id, mallory);
    expect(await costOf(house(), alice, home.general.id)).toBe(usual);
    await alice.post("/channels", { server_id: home.id, name: "den" });
    expect(await costOf(house(), alice, home.general.id)).toBe(usual);
    await mallory.delete(`/servers/${home.id}/members/@me`);
    expect(await costOf(house(), alice, home.general.id)).toBe(usual);
    expect((await mallory.post(`/channels/${home.general.id}/messages`, { content: "again" })).status).toBe(
      404,
    );
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 1 });
    expect((await bob.post(`/channels/${home.general.id}/messages`, { content: "muted" })).status).toBe(403);
  });

  test("keeps posts in one commit that were on their way while somebody came in", async () => {
    await house().quiet();
    const { alice, home } = await neighbours(house());
    const { house: running } = house().running;
    await alice.say(home.general.id, "hello");
    // What Alice has read by saying so would be a commit of its own.
    await stored(house());
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { body: user } = await alice.get<never>(`/users/${alice.id}`);
    const joining = running.write(async (unit) => {
      await unit.lock(home.id);
      held.resolve();
      await released.promise;
      unit.emit(memberAdded, serverPlace(home.id), {
        user,
        role_ids: [],
        joined_at: new Date().toISOString(),
      });
    });
    await held.promise;
    const transactions = spyOn(running.database, "transaction");
    const asked = spyOn(running, "share");
    try {
      const posts = Array.from({ length: 8 }, (_, i) =>
        alice.say(home.general.id, `while somebody comes ${i}`),
      );
      // All of them have arrived, as a busy machine may take some long after the first.
      const areThere = () => transactions.mock.calls.length === 1 && asked.mock.calls.length === posts.length;
      await until(areThere, "nothing was to be committed");
      released.resolve();
      await Promise.all([joining, ...posts]);
      expect(transactions.mock.calls.length).toBeLessThanOrEqual(2);
    } finally {
      transactions.mockRestore();
      asked.mockRestore();
    }
  });
});
