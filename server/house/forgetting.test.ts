// Cache invalidation: an event drops what it makes untrue and nothing else; a join costs others no look-up or commit.
import { expect, spyOn, test } from "bun:test";
import { memberAdded } from "../../features/members/contract.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { storedAfterwards } from "../../tests/house/scenes/read-states.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { serverPlace } from "../place.ts";

/** How many statements a post of this person takes. */
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

  test("forgets what a unit drops, and logs what it says, once that is committed, and nothing where it failed", async () => {
    const { house: running } = house().running;
    const thoughts = running.cache<string>("thoughts", 10);
    const known = () => ["one", "two"].map((key) => thoughts.peek(key));
    for (const key of ["one", "two"]) thoughts.put(key, "kept");
    using info = spyOn(running.log, "info").mockImplementation(() => {});
    const failing = running.write(async (unit) => {
      unit.drop("thoughts", "*");
      unit.log({ thought: "*" }, "all is forgotten");
      throw new Error("not now");
    });
    await expect(failing).rejects.toThrow("not now");
    expect([known(), info.mock.calls]).toEqual([["kept", "kept"], []]);
    await running.write(async (unit) => {
      unit.drop("thoughts", "one");
      unit.log({ thought: "one" }, "one is forgotten");
    });
    expect(info.mock.calls).toEqual([[{ thought: "one" }, "one is forgotten"]]);
    expect(known()).toEqual([undefined, "kept"]);
    await running.write(async (unit) => unit.drop("thoughts", "*"));
    expect(known()).toEqual([undefined, undefined]);
  });

  test("keeps posts in one commit that were on their way while somebody came in", async () => {
    await house().quiet();
    const { alice, home } = await neighbours(house());
    const { house: running } = house().running;
    await alice.say(home.general.id, "hello");
    const { body: user } = await alice.get<never>(`/users/${alice.id}`);
    const joins = { user, role_ids: [], joined_at: new Date().toISOString() };
    const count = 8;
    const posts = () =>
      Array.from({ length: count }, (_, i) => alice.say(home.general.id, `while somebody comes ${i}`));
    // Her read marker, which moves with her posts, would be a commit of its own.
    await storedAfterwards(house(), async () => {
      using asked = spyOn(running, "share");
      const transaction = running.database.transaction.bind(running.database);
      using transactions = spyOn(running.database, "transaction").mockImplementationOnce(
        async (work, tries) => {
          // In the commit of the first posts: a person joins before it, once all posts have arrived.
          await until(() => asked.mock.calls.length === count, "not all arrive");
          await running.write(async (unit) => unit.emit(memberAdded, serverPlace(home.id), joins));
          return transaction(work, tries);
        },
      );
      await Promise.all(posts());
      // One of them is that of the new member.
      expect(transactions.mock.calls.length).toBeLessThanOrEqual(1 + 2);
    });
  });
});
