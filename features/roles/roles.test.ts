// Roles: created, listed by rank, changed and deleted, within the rules of rank and of own bits (R1–R3, R5, R6).
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ServerFrame } from "../../protocol/frames.ts";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { newId } from "../../server/tokens.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Role } from "./contract.ts";
import { rolesAfter } from "./state.ts";

onEachEngine("roles", (house) => {
  let olga: TestPerson;
  let mia: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    [olga, mia] = await Promise.all([house().person("olga"), house().person("mia")]);
  });
  beforeEach(async () => {
    home = await olga.makeServer();
    await olga.bringIn(home.id, mia);
  });

  const make = (by: TestPerson, body: unknown) => by.post<Role>(`/servers/${home.id}/roles`, body);
  const change = (by: TestPerson, role: Role, body: unknown) =>
    by.patch<Role>(`/servers/${home.id}/roles/${role.id}`, body);
  const list = async () => (await olga.get<Role[]>(`/servers/${home.id}/roles`)).body;

  describe("by the owner", () => {
    test("a role is made, heard, changed, heard, deleted and heard", async () => {
      const ear = await mia.listen();
      const made = await make(olga, { name: " Mods ", color: "#33AAff", permissions: 12, position: 3 });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: made.body.id,
        server_id: home.id,
        name: "Mods",
        color: "#33aaff",
        permissions: 12,
        position: 3,
        is_default: false,
      });
      expect((await ear.next("ROLE_CREATE")).data as unknown).toEqual(made.body);

      const changed = await change(olga, made.body, {
        name: "Moderators",
        position: 4,
        server_id: olga.id,
        is_default: true,
      });
      expect(changed.body).toEqual({ ...made.body, name: "Moderators", position: 4 });
      expect((await ear.next("ROLE_UPDATE")).data as unknown).toEqual(changed.body);

      expect(verdict(await olga.delete(`/servers/${home.id}/roles/${made.body.id}`))).toBe("204");
      expect((await ear.next("ROLE_DELETE")).data as unknown).toEqual({ id: made.body.id });
      expect(await list()).toEqual([home.everyone]);
      ear.close();
    });

    test("what is left out is the plain colour, no permission, and a place right above @everyone", async () => {
      expect((await make(olga, { name: "plain" })).body).toMatchObject({
        color: "#99aab5",
        permissions: 0,
        position: 1,
      });
    });

    test("a change of one thing leaves the others as they are", async () => {
      let { body: role } = await make(olga, { name: "Mods", color: "#33aaff", permissions: 12, position: 3 });
      for (const one of [{ color: "#000000" }, { name: "Moderators" }, { position: 5 }, { permissions: 4 }]) {
        role = { ...role, ...one };
        expect((await change(olga, role, one)).body).toEqual(role);
        expect((await list())[0]).toEqual(role);
      }
    });

    test("who says its name means a new role from the next message on, and one that was deleted no more", async () => {
      const meant = async () => (await olga.say(home.general.id, "@Keepers, tea?")).mentions.role_ids;
      expect(await meant()).toEqual([]);
      const { body: role } = await make(olga, { name: "Keepers" });
      expect(await meant()).toEqual([role.id]);
      await olga.delete(`/servers/${home.id}/roles/${role.id}`);
      expect(await meant()).toEqual([]);
    });

    test("roles are listed highest first", async () => {
      for (const position of [2, 9, 5]) await make(olga, { name: `at ${position}`, position });
      expect((await list()).map((role) => role.position)).toEqual([9, 5, 2, 0]);
    });

    test("a client that hears of them has them in the order of the list, those of the same height too", async () => {
      const ear = await mia.listen();
      for (const position of [2, 9, 2, 5, 2]) await make(olga, { name: `at ${position}`, position });
      await ear.settle();
      // Reversed: in order of creation there would be nothing to sort.
      const heard = ear.heard("ROLE_CREATE").toReversed() as unknown as ServerFrame[];
      expect(heard.reduce<readonly Role[]>(rolesAfter, [home.everyone])).toEqual(await list());
      ear.close();
    });

    test("permissions are a whole number from 0 to 2047, names, colours and positions what they should be", async () => {
      const { body: role } = await make(olga, { name: "plain" });
      const before = await list();
      for (const permissions of [-1, 2048, 2 ** 53, 1.5, "3", null, [], true, Number.POSITIVE_INFINITY]) {
        const body =
          permissions === Number.POSITIVE_INFINITY
            ? '{"name":"x","permissions":1e400}'
            : { name: "x", permissions };
        expect([permissions, verdict(await make(olga, body))]).toEqual([permissions, "400 invalid_request"]);
        expect([permissions, verdict(await change(olga, role, body))]).toEqual([
          permissions,
          "400 invalid_request",
        ]);
      }
      const others = [
        { name: "" },
        { name: "a\u2066b" },
        { name: "x".repeat(101) },
        { color: "blue" },
        { color: "#12345" },
      ];
      for (const wrong of [
        ...others,
        { position: -1 },
        { position: 10_001 },
        { position: 0.5 },
        { position: "1" },
      ]) {
        expect([wrong, verdict(await make(olga, { name: "x", ...wrong }))]).toEqual([
          wrong,
          "400 invalid_request",
        ]);
        expect([wrong, verdict(await change(olga, role, wrong))]).toEqual([wrong, "400 invalid_request"]);
      }
      expect(await list()).toEqual(before);
    });

    test("@everyone can be given other bits, stays at the bottom under its name, and cannot be deleted", async () => {
      const changed = await change(olga, home.everyone, {
        permissions: 3,
        position: 5,
        name: "Nobody",
        color: "#000000",
      });
      expect(changed.body).toEqual({ ...home.everyone, permissions: 3, color: "#000000" });
      // A form may send back the name that it shows, in any spelling.
      expect((await change(olga, home.everyone, { name: "@Everyone" })).body).toEqual(changed.body);
      expect(verdict(await olga.delete(`/servers/${home.id}/roles/${home.everyone.id}`))).toBe(
        "409 conflict",
      );
      expect(await list()).toEqual([changed.body]);
    });

    test("a role of another server is not found here, and stays as it is", async () => {
      const other = await olga.makeServer("Elsewhere");
      const path = `/servers/${home.id}/roles/${other.everyone.id}`;
      expect(verdicts([await olga.patch(path, { permissions: 0 }), await olga.delete(path)])).toEqual([
        "404 not_found",
        "404 not_found",
      ]);
      expect((await olga.get<Role[]>(`/servers/${other.id}/roles`)).body).toEqual([other.everyone]);
    });

    test("a server has at most 250 roles", async () => {
      const { read } = house().running.house.database;
      const model = await read
        .selectFrom("roles")
        .selectAll()
        .where("server_id", "=", home.id)
        .executeTakeFirstOrThrow();
      await fill(
        house(),
        "roles",
        Array.from({ length: 235 }, () => ({ ...model, id: newId(), position: 1, is_default: 0 })),
      );
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => insisted(() => make(olga, { name: "one of many" }))),
      );
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(14);
      expect(verdict(await make(olga, { name: "one too many" }))).toBe("409 conflict");
      expect(await list()).toHaveLength(250);
    });
  });

  describe("by a member with MANAGE_SERVER", () => {
    const bits = permission.MANAGE_SERVER | permission.KICK_MEMBERS;
    let own: Role;
    beforeEach(async () => {
      own = await olga.giveRole(home.id, mia, bits, 5);
    });

    test("roles come into being only below one's own, also without a word about the place", async () => {
      expect(
        verdicts([
          await make(mia, { name: "above", position: 6 }),
          await make(mia, { name: "beside", position: 5 }),
          await make(mia, { name: "below", position: 4 }),
          await make(mia, { name: "somewhere" }),
        ]),
      ).toEqual(["403 hierarchy", "403 hierarchy", "201", "201"]);
      expect((await list()).map((role) => role.name)).toEqual([
        "some role",
        "below",
        "somewhere",
        "@everyone",
      ]);
    });

    test("from right above @everyone there is a place beside it", async () => {
      await change(olga, own, { position: 1 });
      expect((await make(mia, { name: "somewhere" })).body).toMatchObject({ position: 0 });
    });

    test("who ranks at the bottom can make no role, whether or not they name a place", async () => {
      await change(olga, home.everyone, { permissions: defaultPermissions | permission.MANAGE_SERVER });
      await olga.put(`/servers/${home.id}/members/${mia.id}/roles`, { role_ids: [] });
      expect(
        verdicts([await make(mia, { name: "at zero", position: 0 }), await make(mia, { name: "somewhere" })]),
      ).toEqual(["403 hierarchy", "403 hierarchy"]);
      expect((await list()).map((role) => role.position)).toEqual([5, 0]);
    });

    test("a role gets only bits that one holds oneself; what it had already it may keep", async () => {
      const strong = (await make(olga, { name: "strong", permissions: permission.BAN_MEMBERS, position: 1 }))
        .body;
      expect(
        verdicts([
          await make(mia, { name: "x", permissions: permission.ADMINISTRATOR, position: 1 }),
          await make(mia, { name: "x", permissions: permission.BAN_MEMBERS, position: 1 }),
          await make(mia, { name: "x", permissions: permission.KICK_MEMBERS | 1, position: 1 }),
          await change(mia, strong, { permissions: permission.BAN_MEMBERS | permission.ADMINISTRATOR }),
          await change(mia, strong, { permissions: permission.BAN_MEMBERS | permission.KICK_MEMBERS }),
          await change(mia, strong, { permissions: 0 }),
          await change(mia, strong, { permissions: permission.BAN_MEMBERS }),
        ]),
      ).toEqual(["403 forbidden", "403 forbidden", "201", "403 forbidden", "200", "200", "403 forbidden"]);
    });

    test("one's own role and those above can be neither changed, moved nor deleted; none can be lifted above", async () => {
      const low = (await make(mia, { name: "low", position: 1 })).body;
      const high = (await make(olga, { name: "high", position: 9 })).body;
      const path = (role: Role) => `/servers/${home.id}/roles/${role.id}`;
      expect(
        verdicts([
          await change(mia, own, { name: "mine" }),
          await change(mia, own, { position: 1 }),
          await change(mia, high, { name: "lower", position: 1 }),
          await change(mia, low, { position: 5 }),
          await mia.delete(path(own)),
          await mia.delete(path(high)),
          await mia.delete(path(home.everyone)),
          await change(mia, low, { position: 4 }),
          await mia.delete(path(low)),
        ]),
      ).toEqual([...Array(6).fill("403 hierarchy"), "409 conflict", "200", "204"]);
    });

    test("@everyone may be changed, but only by one's own bits", async () => {
      expect(
        verdicts([
          await change(mia, home.everyone, { permissions: defaultPermissions | permission.ADMINISTRATOR }),
          await change(mia, home.everyone, { permissions: defaultPermissions | permission.KICK_MEMBERS }),
        ]),
      ).toEqual(["403 forbidden", "200"]);
    });

    test("a change binds the very next request", async () => {
      expect(verdict(await make(mia, { name: "one", position: 1 }))).toBe("201");
      await change(olga, own, { permissions: 0 });
      expect(verdict(await make(mia, { name: "two", position: 1 }))).toBe("403 forbidden");
      await change(olga, own, { permissions: permission.ADMINISTRATOR });
      expect(verdict(await make(mia, { name: "three", permissions: 2047, position: 1 }))).toBe("201");
      await olga.delete(`/servers/${home.id}/roles/${own.id}`);
      expect(verdict(await make(mia, { name: "four", position: 1 }))).toBe("403 forbidden");
      // Rows of the deleted role that wait to be swept are not held by anybody.
      const ear = await mia.listen();
      const servers = ear.ready.servers as unknown as { id: string; role_ids: string[] }[];
      expect(servers.find(({ id }) => id === home.id)?.role_ids).toEqual([]);
      ear.close();
    });
  });
});
