// Giving and taking roles (R4): whose, which, and by whom.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Server } from "../servers/contract.ts";
import type { Role } from "./contract.ts";

onEachEngine("assigning roles", (house) => {
  let [olga, mia, max, bob, sam]: TestPerson[] = [];
  let homeId: string;
  let everyone: Role;
  let general: string;
  /** Below, at and above Mia, who is at 5 with MANAGE_SERVER. */
  let [low, manager, high]: Role[] = [];

  beforeAll(async () => {
    const names = ["olga", "mia", "max", "bob", "sam"];
    [olga, mia, max, bob, sam] = await Promise.all(names.map((name) => house().person(name)));
  });
  beforeEach(async () => {
    const home = await olga!.makeServer();
    homeId = home.id;
    everyone = home.everyone;
    general = home.general.id;
    await olga!.bringIn(homeId, mia!, max!, bob!);
    const make = async (name: string, permissions: number, position: number) =>
      (await olga!.post<Role>(`/servers/${homeId}/roles`, { name, permissions, position })).body;
    low = await make("low", permission.KICK_MEMBERS, 2);
    manager = await make("manager", permission.MANAGE_SERVER, 5);
    high = await make("high", 0, 8);
    await give(olga, mia, manager);
    await give(olga, max, high);
  });

  function set(by: TestPerson | undefined, to: TestPerson | undefined, role_ids: unknown) {
    return by!.put(`/servers/${homeId}/members/${to!.id}/roles`, { role_ids });
  }
  function give(by: TestPerson | undefined, to: TestPerson | undefined, ...roles: (Role | undefined)[]) {
    return set(
      by,
      to,
      roles.map((role) => role!.id),
    );
  }
  const held = async (who: TestPerson | undefined) =>
    (await olga!.get<Role[]>(`/servers/${homeId}/members/${who!.id}/roles`)).body.map((role) => role.name);

  test("Bob gets two roles: he may at once what they allow, the others hear it, and @everyone is never lost", async () => {
    const ear = await max!.listen();
    expect(verdict(await give(olga, bob, low, manager))).toBe("204");
    expect((await ear.next("SERVER_MEMBER_UPDATE")).data as unknown).toEqual({
      user_id: bob!.id,
      role_ids: [low!.id, manager!.id].sort(),
    });
    expect(await held(bob)).toEqual(["manager", "low"]);
    expect((await bob!.get<Server>(`/servers/${homeId}`)).body.permissions).toBe(1795 | 32 | 8);
    expect(verdict(await set(olga, bob, []))).toBe("204");
    expect(await held(bob)).toEqual([]);
    expect((await bob!.get<Server>(`/servers/${homeId}`)).body.permissions).toBe(1795);
    ear.close();
  });

  test("naming a role twice, or @everyone, is no mistake; the same set again is told to nobody", async () => {
    await give(olga, bob, low);
    const ear = await max!.listen();
    expect(verdicts([await give(olga, bob, low, low, everyone), await give(olga, bob, low)])).toEqual([
      "204",
      "204",
    ]);
    await olga!.say(general, "after it");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("SERVER_MEMBER_UPDATE")).toEqual([]);
    expect(await held(bob)).toEqual(["low"]);
    ear.close();
  });

  test("Mia gives and takes only roles below her own", async () => {
    expect(verdict(await give(mia, bob, low))).toBe("204");
    expect(verdicts([await give(mia, bob, low, manager), await give(mia, bob, high)])).toEqual([
      "403 hierarchy",
      "403 hierarchy",
    ]);
    expect(await held(bob)).toEqual(["low"]);
    await give(olga, bob, low, manager);
    expect(verdict(await give(mia, bob, manager))).toBe("403 hierarchy"); // Bob is her equal now
    expect(verdict(await set(mia, bob, []))).toBe("403 hierarchy");
    expect(await held(bob)).toEqual(["manager", "low"]);
  });

  test("on those above her and on the owner Mia cannot act, not even for the good", async () => {
    expect(
      verdicts([await give(mia, max, high, low), await set(mia, max, []), await give(mia, olga, low)]),
    ).toEqual(Array(3).fill("403 hierarchy"));
    expect([await held(max), await held(olga)]).toEqual([["high"], []]);
  });

  test("herself she may give lower roles, but neither lift nor strip of her own", async () => {
    expect(
      verdicts([
        await give(mia, mia, manager, low),
        await give(mia, mia, manager, high),
        await give(mia, mia, low),
      ]),
    ).toEqual(["204", "403 hierarchy", "403 hierarchy"]);
    expect(await held(mia)).toEqual(["manager", "low"]);
  });

  test("the owner's roles are the owner's to choose; an administrator cannot touch them", async () => {
    const admin = await olga!.giveRole(homeId, max!, permission.ADMINISTRATOR, 100);
    expect(verdicts([await give(max, olga, low), await give(olga, olga, low, admin)])).toEqual([
      "403 hierarchy",
      "204",
    ]);
    expect(verdict(await set(max, olga, []))).toBe("403 hierarchy");
    expect(await held(olga)).toEqual(["some role", "low"]);
  });

  test("only roles of this server, named by ids, at most a hundred", async () => {
    const elsewhere = await olga!.makeServer("Elsewhere");
    const lists = [
      [elsewhere.everyone.id],
      [low!.id, "01890000-0000-7000-8000-000000000000"],
      ["low"],
      [null],
      low!.id,
      undefined,
      null,
      Array.from({ length: 101 }, () => crypto.randomUUID()),
    ];
    for (const list of lists)
      expect([list, verdict(await set(olga, bob, list))]).toEqual([list, "400 invalid_request"]);
    const { body } = await set(olga, bob, [low!.id, elsewhere.everyone.id]);
    expect(String(body.fields?.[0]?.path)).toBe("role_ids.1");
    expect(await held(bob)).toEqual([]);
  });

  test("who is no member has no roles here", async () => {
    expect(
      verdicts([
        await give(olga, sam, low),
        await olga!.get(`/servers/${homeId}/members/${sam!.id}/roles`),
        await olga!.get(`/servers/${homeId}/members/nobody/roles`),
      ]),
    ).toEqual(Array(3).fill("404 not_found"));
  });

  test("roles do not come back with the person who left and joined again", async () => {
    await give(olga, bob, low);
    await bob!.delete(`/servers/${homeId}/members/@me`);
    await olga!.bringIn(homeId, bob!);
    expect(await held(bob)).toEqual([]);
    expect((await bob!.get<Server>(`/servers/${homeId}`)).body.permissions).toBe(1795);
  });

  test("of two administrators who strip each other at the same moment, one comes first", async () => {
    const admin = (
      await olga!.post<Role>(`/servers/${homeId}/roles`, {
        name: "admin",
        permissions: permission.ADMINISTRATOR,
        position: 20,
      })
    ).body;
    const boss = (
      await olga!.post<Role>(`/servers/${homeId}/roles`, {
        name: "boss",
        permissions: permission.ADMINISTRATOR,
        position: 30,
      })
    ).body;
    await give(olga, bob, admin);
    await give(olga, max, boss);
    const kicks = await Promise.all([
      bob!.delete(`/servers/${homeId}/members/${max!.id}`),
      set(max, bob, []),
      bob!.delete(`/servers/${homeId}/members/${mia!.id}`),
    ]);
    expect(["403 hierarchy", "403 forbidden"]).toContain(verdict(kicks[0]));
    expect(verdict(kicks[1])).toBe("204");
    expect(verdict(await bob!.delete(`/servers/${homeId}/members/${mia!.id}`))).toMatch(/^40/);
  });
});
