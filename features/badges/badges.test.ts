// Badges: made and awarded by the instance's admins, and shown to everybody who sees the holders.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { newId } from "../../server/tokens.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import { nobodysId, type TestPerson } from "../../tests/house/people/people.ts";
import { crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Badge, User } from "../accounts/contract.ts";
import { badges } from "./handlers.ts";

onEachEngine("badges", (house) => {
  let [keeper, alice, bob]: TestPerson[] = [];
  let badge: Badge;

  beforeAll(async () => {
    await house().quiet();
    // The first account owns the instance.
    keeper = await house().person("keeper");
    [alice, bob] = await Promise.all(["alice", "bob"].map((name) => house().person(name)));
    const home = await alice!.makeServer();
    await alice!.bringIn(home.id, bob!);
  });
  beforeEach(async () => {
    badge = (await make()).body;
  });

  const make = (more: Record<string, unknown> = {}, by = keeper) =>
    by!.post<Badge>("/badges", {
      name: "Helper",
      description: "Answers",
      icon: "🎖️",
      color: "#33AAFF",
      ...more,
    });
  const give = (to: TestPerson, id = badge.id) => keeper!.put(`/users/${to.id}/badges/${id}`);
  const take = (from: TestPerson, id = badge.id) => keeper!.delete(`/users/${from.id}/badges/${id}`);
  const shown = async (who: TestPerson, by: TestPerson) =>
    (await by.get<User>(`/users/${who.id}`)).body.badges;
  const catalogue = async () => (await bob!.get<Badge[]>("/badges")).body;

  test("the owner of the instance makes one, and everybody reads it as it was answered", async () => {
    const made = await make({ name: " Early bird ", icon: "https://pictures.example/bird.png", color: null });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: made.body.id,
      name: "Early bird",
      description: "Answers",
      icon: "https://pictures.example/bird.png",
      color: null,
    });
    expect(badge.color).toBe("#33aaff");
    expect((await catalogue()).slice(-2)).toEqual([badge, made.body]);
    const plain = await keeper!.post<Badge>("/badges", { name: "Plain", icon: "⭐" });
    expect(plain.body).toMatchObject({ description: "", icon: "⭐", color: null });
  });

  test("a badge that is given is on the person wherever they are seen, and those who see them hear of it", async () => {
    const ear = await bob!.listen();
    expect((await give(alice!)).status).toBe(204);
    const { data } = await ear.next("USER_UPDATE");
    expect([data.id, data.badges] as unknown).toEqual([alice!.id, [badge]]);
    expect(await shown(alice!, bob!)).toEqual([badge]);
    expect((await alice!.get<User>("/auth/me")).body.badges).toEqual([badge]);
    const later = await alice!.listen();
    expect(later.ready.user?.badges as unknown).toEqual([badge]);

    expect((await give(alice!)).status).toBe(204);
    expect((await take(bob!)).status).toBe(204);
    await ear.settle();
    expect(ear.heard("USER_UPDATE")).toHaveLength(1);

    expect((await take(alice!)).status).toBe(204);
    expect((await ear.next("USER_UPDATE")).data.badges as unknown).toEqual([]);
    expect(await shown(alice!, bob!)).toEqual([]);
    ear.close();
    later.close();
  });

  test("several come in the order in which they were given; a changed profile keeps them", async () => {
    const second = (await make({ name: "Second" })).body;
    await give(bob!, second.id);
    await Bun.sleep(2);
    await give(bob!);
    expect(await shown(bob!, alice!)).toEqual([second, badge]);
    await bob!.patch("/auth/me", { bio: "Bakes.", badges: [] });
    expect(await shown(bob!, alice!)).toEqual([second, badge]);
    await take(bob!, second.id);
    await take(bob!);
  });

  test("who shares no server can be given one; nobody else is told", async () => {
    const carol = await house().person("carol");
    const ear = await bob!.listen();
    expect((await give(carol)).status).toBe(204);
    expect(await shown(carol, carol)).toEqual([badge]);
    expect((await keeper!.get<Badge[]>(`/users/${carol.id}/badges`)).body).toEqual([badge]);
    expect((await keeper!.get<Badge[]>(`/users/${alice!.id}/badges`)).body).toEqual([]);
    expect(verdict(await keeper!.get(`/users/${nobodysId}/badges`))).toBe("404 not_found");
    await ear.settle();
    expect(ear.heard("USER_UPDATE")).toEqual([]);
    ear.close();
  });

  test("deleted, it is in nobody's profile and in no list, and those who see its holders hear of it", async () => {
    await give(alice!);
    await give(bob!);
    const ear = await bob!.listen();
    expect((await keeper!.delete(`/badges/${badge.id}`)).status).toBe(204);
    const told = [await ear.next("USER_UPDATE"), await ear.next("USER_UPDATE")];
    expect(told.map(({ data }) => [String(data.id), data.badges as unknown]).sort()).toEqual(
      [alice!.id, bob!.id].sort().map((id) => [id, []]),
    );
    expect(await shown(alice!, bob!)).toEqual([]);
    expect((await catalogue()).map(({ id }) => id)).not.toContain(badge.id);
    expect(
      verdicts([await keeper!.delete(`/badges/${badge.id}`), await give(alice!), await take(alice!)]),
    ).toEqual(["404 not_found", "404 not_found", "404 not_found"]);
    ear.close();
  });

  test("deleted while it is given to many: nobody is left with it", async () => {
    const crowd = await Promise.all(Array.from({ length: 8 }, () => house().person("one")));
    const gifts = crowd.map((each) => insisted(() => give(each)));
    await gifts[0];
    expect((await insisted(() => keeper!.delete(`/badges/${badge.id}`))).status).toBe(204);
    const answers = verdicts(await Promise.all(gifts));
    expect(answers.filter((answer) => !["204", "404 not_found"].includes(answer))).toEqual([]);
    for (const each of crowd) expect(await shown(each, each)).toEqual([]);
    const db = house().running.house.database.read;
    const held = await db.selectFrom("badge_holders").selectAll().where("badge_id", "=", badge.id).execute();
    expect(held).toEqual([]);
  });

  test("held by many more than one piece, it is gone from all of them once the job has run", async () => {
    const { house: inside } = house().running;
    const holders = await crowd(house(), alice!, 450);
    const given_at = Date.now();
    await fill(
      house(),
      "badge_holders",
      holders.map((user_id) => ({ user_id, badge_id: badge.id, given_at })),
    );
    await inside.database.transaction((db) =>
      db
        .updateTable("users")
        .set({ badges: JSON.stringify([badge]) })
        .where("id", "in", holders)
        .execute(),
    );
    expect((await keeper!.delete(`/badges/${badge.id}`)).status).toBe(204);
    expect((await catalogue()).map(({ id }) => id)).not.toContain(badge.id);
    while (await badges.jobs?.[0]?.run(inside));

    const { read } = inside.database;
    expect(
      await read.selectFrom("badge_holders").selectAll().where("badge_id", "=", badge.id).execute(),
    ).toEqual([]);
    expect(await read.selectFrom("badges").selectAll().where("id", "=", badge.id).execute()).toEqual([]);
    const profiles = await read.selectFrom("users").select("badges").where("id", "in", holders).execute();
    expect(new Set(profiles.map((row) => row.badges))).toEqual(new Set(["[]"]));
  });

  test("held by many who are in many servers, it is taken from them in commits that stay short", async () => {
    const holders = await crowd(house(), alice!, 120);
    await fillServers(
      house().running.house,
      10,
      holders.map((id) => ({ id })),
      { channels: 1, roles: 1 },
    );
    const given_at = Date.now();
    await fill(
      house(),
      "badge_holders",
      holders.map((user_id) => ({ user_id, badge_id: badge.id, given_at })),
    );
    const { read } = house().running.house.database;
    const left = async () =>
      (await read.selectFrom("badge_holders").selectAll().where("badge_id", "=", badge.id).execute()).length;
    expect((await keeper!.delete(`/badges/${badge.id}`)).status).toBe(204);
    expect(await left()).toBeWithin(1, 120);
    for (const job of badges.jobs ?? []) while (await job.run(house().running.house));
    expect(await left()).toBe(0);
  });

  test("only the owner and the admins of the instance write, and are asked before anything is looked up", async () => {
    const tries = async (by: TestPerson, id: string) =>
      verdicts([
        await make({}, by),
        await by.put(`/users/${alice!.id}/badges/${id}`),
        await by.delete(`/users/${alice!.id}/badges/${id}`),
        await by.delete(`/badges/${id}`),
      ]);
    const no = Array.from({ length: 4 }, () => "403 forbidden");
    expect(await tries(bob!, badge.id)).toEqual(no);
    expect(await tries(bob!, nobodysId)).toEqual(no);
    expect((await catalogue()).at(-1)).toEqual(badge);

    const commands = house().running.house.features.flatMap((feature) => feature.commands ?? []);
    await commands.find(({ name }) => name === "make-admin")?.run(house().running.house, [bob!.username]);
    expect(await tries(bob!, badge.id)).toEqual(["201", "204", "204", "204"]);
    await commands.find(({ name }) => name === "take-admin")?.run(house().running.house, [bob!.username]);
    expect(await tries(bob!, nobodysId)).toEqual(no);
  });

  test("an unknown person and an unknown badge are 404", async () => {
    expect(
      verdicts([
        await keeper!.put(`/users/${nobodysId}/badges/${badge.id}`),
        await keeper!.delete(`/users/${nobodysId}/badges/${badge.id}`),
        await give(alice!, nobodysId),
        await take(alice!, nobodysId),
        await keeper!.delete(`/badges/${nobodysId}`),
        await keeper!.delete("/badges/what"),
      ]),
    ).toEqual(Array.from({ length: 6 }, () => "404 not_found"));
  });

  test("odd badges are 400, and none is made", async () => {
    const before = await catalogue();
    for (const odd of [
      { name: "" },
      { name: "n".repeat(81) },
      { name: "a\u202eb" },
      { name: undefined },
      { icon: undefined },
      { icon: "" },
      { icon: "two 🎖️" },
      { icon: "javascript:alert(1)" },
      { icon: "data:image/png;base64,AAAA" },
      { icon: "🎖️🎖️" },
      { color: "red" },
      { description: "d".repeat(513) },
    ]) {
      expect([odd, verdict(await make(odd))] as unknown).toEqual([odd, "400 invalid_request"]);
    }
    expect(await catalogue()).toEqual(before);
  });

  test("nobody holds more than 20, and there are at most 100", async () => {
    const dora = await house().person("dora");
    const there = await catalogue();
    const { read } = house().running.house.database;
    const model = await read
      .selectFrom("badges")
      .selectAll()
      .where("id", "=", badge.id)
      .executeTakeFirstOrThrow();
    await fill(
      house(),
      "badges",
      Array.from({ length: 85 - there.length }, () => ({ ...model, id: newId() })),
    );
    const made = await Promise.all(
      Array.from({ length: 17 }, (_, i) => insisted(() => make({ name: `number ${i}` }))),
    );
    expect(verdicts(made).filter((answer) => answer === "409 conflict")).toHaveLength(2);
    expect(await catalogue()).toHaveLength(100);

    const all = (await catalogue()).slice(0, 22);
    const given = await Promise.all(all.map(({ id }) => insisted(() => give(dora, id))));
    expect(verdicts(given).filter((answer) => answer === "409 conflict")).toHaveLength(2);
    expect(await shown(dora, dora)).toHaveLength(20);
    const [held] = await shown(dora, dora);
    expect((await give(dora, held?.id)).status).toBe(204);
    const [free] = await catalogue();
    await keeper!.delete(`/badges/${free?.id}`);
    expect((await make()).status).toBe(201);
  });
});
