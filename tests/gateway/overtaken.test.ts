// Events that arrive late: their effects on listeners are applied though later events are already in the log.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { removeMember } from "../../features/members/access.ts";
import { memberUpdated, roleUpdated } from "../../features/roles/contract.ts";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { numberEvents } from "../../server/house/event-log.ts";
import { UnitOfWork } from "../../server/house/unit.ts";
import { serverPlace } from "../../server/place.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";

const blind = defaultPermissions & ~permission.VIEW_CHANNEL;

/** A server of Alice's with `count` guests, all of them listening; the last one's permissions are read last. */
async function crowded(house: TestHouse, count: number) {
  const alice = await house.person("alice");
  const home = await alice.makeServer();
  const guests: { person: TestPerson; ear: Ear }[] = [];
  for (let i = 0; i < count; i++) {
    const person = await house.person("guest");
    await alice.bringIn(home.id, person);
    guests.push({ person, ear: await person.listen() });
  }
  const setEveryone = (permissions: number) =>
    alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions });
  const last = guests.at(-1);
  if (!last) throw new Error("nobody came");
  return { alice, home, guests, last, setEveryone };
}

/** Commits to the log without notifying this process, which then hears of later commits first. */
async function commitUnheard({ running: { house } }: TestHouse, work: (unit: UnitOfWork) => Promise<void>) {
  await house.database.transaction(async (db) => {
    const unit = new UnitOfWork(house, db, "transaction");
    await work(unit);
    await numberEvents(house.database, db, unit.events, new Map());
  });
}

onEachEngine("overtaken", (house) => {
  test("who is gone before a change of their rights is settled hears of both, and then nothing", async () => {
    const { alice, home, last } = await crowded(house(), 1);
    const { person, ear } = last;
    await house().running.house.write(async (unit) => {
      unit.emit(memberUpdated, serverPlace(home.id), { user_id: person.id, role_ids: [] });
      await removeMember(unit, home.id, person.id, "kicked");
    });
    const removed = await ear.next("SERVER_MEMBER_REMOVE");
    expect(removed.data as unknown).toEqual({ user_id: person.id, reason: "kicked" });
    await alice.say(home.general.id, "behind his back");
    await alice.patch(`/servers/${home.id}`, { name: "behind his back" });
    await ear.settle();
    const numbered = ear.frames.filter(({ seq }) => seq !== undefined).map(({ type }) => type);
    expect(numbered).toEqual(["SERVER_MEMBER_UPDATE", "SERVER_MEMBER_REMOVE"]);
  });

  test("the last of many is kicked while the rights of all change: they hear it, and nothing that they lost", async () => {
    const { alice, home, last, setEveryone } = await crowded(house(), 8);
    const { person, ear } = last;
    for (let round = 0; round < 8; round++) {
      await Promise.all([setEveryone(blind), alice.delete(`/servers/${home.id}/members/${person.id}`)]);
      await ear.next("SERVER_MEMBER_REMOVE");
      await alice.say(home.general.id, "behind his back");
      await setEveryone(defaultPermissions);
      await alice.bringIn(home.id, person);
      await ear.next("SERVER_CREATE");
    }
    expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
  });

  test("a server is deleted while the rights of all change: every member hears that it is gone", async () => {
    for (let round = 0; round < 2; round++) {
      const { alice, home, guests, setEveryone } = await crowded(house(), 5);
      await Promise.all([setEveryone(blind), alice.delete(`/servers/${home.id}`)]);
      for (const { ear } of guests) await ear.next("SERVER_DELETE");
    }
  });

  test("rights of which the process hears later than of what follows hold from their place in the log on", async () => {
    const { alice, home, last } = await crowded(house(), 1);
    const { person, ear } = last;
    // Fills the process's cache with the present permissions.
    await person.get(`/channels?server_id=${home.id}`);
    await commitUnheard(house(), async (unit) => {
      await unit.db
        .updateTable("roles")
        .set({ permissions: blind })
        .where("id", "=", home.everyone.id)
        .execute();
      unit.emit(roleUpdated, serverPlace(home.id), { ...home.everyone, permissions: blind }, ["*"]);
    });
    await alice.say(home.general.id, "not for everybody");
    await ear.next("CHANNEL_DELETE");
    await ear.next("ROLE_UPDATE");
    await alice.patch(`/servers/${home.id}`, { name: "for all" });
    await ear.next("SERVER_UPDATE");
    expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
  });
});

onEachEngine(
  "a lookup that fails",
  (house) => {
    test("leaves nobody with rights that may be wrong: 1012, and they begin again", async () => {
      const { alice, home, last } = await crowded(house(), 1);
      const { person, ear } = last;
      const running = house().running.house;
      const rename = (from: string, to: string) => sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`;
      await running.write(async (unit) => {
        unit.emit(memberUpdated, serverPlace(home.id), { user_id: person.id, role_ids: [] });
        await rename("members", "members_away").execute(unit.db);
      });
      expect((await ear.closed).code).toBe(1012);
      await running.database.transaction((db) => rename("members_away", "members").execute(db));
      const again = await person.listen(ear.resumePoint);
      expect(again.frames[0]?.type).toBe("READY");
      await alice.say(home.general.id, "on it goes");
      await again.next("MESSAGE_CREATE");
    });
  },
  { LOG_LEVEL: "silent" },
);
