// Servers: created with their initial contents, renamed, listed, and deleted with everything in them.
import { beforeAll, describe, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Channel } from "../channels/contract.ts";
import type { Role } from "../roles/contract.ts";
import type { Server } from "./contract.ts";

onEachEngine("servers", (house) => {
  let olga: TestPerson;
  let bob: TestPerson;
  let sam: TestPerson;

  beforeAll(async () => {
    [olga, bob, sam] = await Promise.all([
      house().person("olga"),
      house().person("bob"),
      house().person("sam"),
    ]);
  });

  describe("making one", () => {
    test("a new server has its owner, @everyone, one text channel called general, and all rights for the owner", async () => {
      const made = await olga.post<Server>("/servers", {
        name: " The Attic ",
        icon: "https://pic.example/a.png",
      });

      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: made.body.id,
        name: "The Attic",
        icon: "https://pic.example/a.png",
        owner_id: olga.id,
        member_count: 1,
        permissions: 2047,
        created_at: made.body.created_at,
      });
      expect((await olga.get<Server>(`/servers/${made.body.id}`)).body).toEqual(made.body);
      const roles = (await olga.get<Role[]>(`/servers/${made.body.id}/roles`)).body;
      expect(
        roles.map(({ name, permissions, position, is_default }) => [name, permissions, position, is_default]),
      ).toEqual([["@everyone", 1795, 0, true]]);
      const channels = (await olga.get<Channel[]>(`/channels?server_id=${made.body.id}`)).body;
      expect(channels.map(({ name, type, position }) => [name, type, position])).toEqual([
        ["general", "text", 0],
      ]);
    });

    test("its maker hears of it on every socket that is open", async () => {
      const ear = await olga.listen();
      const { body } = await olga.post<Server>("/servers", { name: "Heard" });
      const heard = await ear.next("SERVER_CREATE");
      expect(heard.data as unknown).toMatchObject({ ...body, role_ids: [] });
      ear.close();
    });

    test("what a server cannot be called or shown by is refused", async () => {
      const before = (await olga.get<Server[]>("/servers")).body.length;
      const bodies: Record<string, unknown>[] = [
        {},
        { name: "" },
        { name: "   " },
        { name: "x".repeat(101) },
        { name: "a\u202eb" },
        { name: "a\u200bb" },
        { name: 7 },
        { name: null },
        { name: "ok", icon: "javascript:alert(1)" },
        { name: "ok", icon: "data:image/svg+xml,<svg/>" },
        { name: "ok", icon: "//pic.example/a.png" },
        { name: "ok", icon: "" },
        { name: "ok", icon: `https://pic.example/${"x".repeat(2048)}` },
        { name: "ok", icon: `https://${"a\u0301".repeat(300)}.example/a.png` },
      ];
      for (const body of bodies)
        expect([body, verdict(await olga.post("/servers", body))]).toEqual([body, "400 invalid_request"]);
      expect((await olga.get<Server[]>("/servers")).body).toHaveLength(before);
    });

    test("nobody makes a server for somebody else", async () => {
      const made = await bob.post<Server>("/servers", {
        name: "Mine",
        owner_id: olga.id,
        id: olga.id,
        member_count: 9,
      });
      expect(made.body).toMatchObject({ owner_id: bob.id, member_count: 1 });
      expect(made.body.id).not.toBe(olga.id);
    });
  });

  describe("living in one", () => {
    let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
    beforeAll(async () => {
      home = await olga.makeServer();
      await olga.bringIn(home.id, bob);
    });

    test("a member's list has it, with the member's own rights; a stranger's has not", async () => {
      const mine = (await bob.get<Server[]>("/servers")).body.find((each) => each.id === home.id);
      expect(mine).toMatchObject({ permissions: 1795, member_count: 2, owner_id: olga.id });
      expect((await sam.get<Server[]>("/servers")).body).toEqual([]);
      expect(verdict(await sam.get(`/servers/${home.id}`))).toBe("404 not_found");
      expect(verdict(await bob.get(`/servers/${home.id.toUpperCase()}`))).toBe("200");
    });

    test("the owner renames it, all hear it without anybody's rights, the icon stays, and null takes it away", async () => {
      const ear = await bob.listen();
      const named = await olga.patch<Server>(`/servers/${home.id}`, {
        name: "The Cellar",
        icon: "http://pic.example/b",
      });
      const heard = await ear.next("SERVER_UPDATE");
      const { permissions, ...shared } = named.body;
      expect([named.status, permissions]).toEqual([200, 2047]);
      expect(heard.data as unknown).toEqual(shared);
      expect((await bob.get<Server>(`/servers/${home.id}`)).body).toEqual({ ...shared, permissions: 1795 });

      const again = await olga.patch<Server>(`/servers/${home.id}`, { name: "The Wine Cellar" });
      expect([again.body.name, again.body.icon]).toEqual(["The Wine Cellar", "http://pic.example/b"]);
      const bare = await olga.patch<Server>(`/servers/${home.id}`, { icon: null });
      expect([bare.body.name, bare.body.icon]).toEqual(["The Wine Cellar", null]);
      ear.close();
    });

    test("a change to what it is already is answered and told to nobody", async () => {
      const ear = await bob.listen();
      const { body } = await olga.get<Server>(`/servers/${home.id}`);
      expect((await olga.patch<Server>(`/servers/${home.id}`, { name: body.name })).body).toEqual(body);
      expect(
        (await olga.patch<Server>(`/servers/${home.id}`, { owner_id: bob.id, member_count: 7 })).body,
      ).toEqual(body);
      await olga.say(home.general.id, "after it");
      await ear.next("MESSAGE_CREATE");
      expect(ear.heard("SERVER_UPDATE")).toEqual([]);
      ear.close();
    });
  });

  describe("deleting one", () => {
    test("everything in it is gone, its members hear it as the last of it, and its invites lead nowhere", async () => {
      const gone = await olga.makeServer("Soon gone");
      await olga.bringIn(gone.id, bob);
      const role = await olga.giveRole(gone.id, bob, 4);
      const message = await bob.say(gone.general.id, "still here");
      const { code } = (await olga.post<{ code: string }>("/invites", { server_id: gone.id })).body;
      const ear = await bob.listen();

      expect(verdict(await olga.delete(`/servers/${gone.id}`))).toBe("204");

      const heard = await ear.next("SERVER_DELETE");
      expect(heard.data as unknown).toEqual({ id: gone.id });
      const paths = [
        `/servers/${gone.id}`,
        `/servers/${gone.id}/members`,
        `/servers/${gone.id}/roles`,
        `/channels?server_id=${gone.id}`,
        `/channels/${gone.general.id}`,
        `/channels/${gone.general.id}/messages`,
        `/messages/${message.id}`,
        `/invites/${code}`,
      ];
      for (const path of paths)
        expect([path, verdict(await olga.get(path))]).toEqual([path, "404 not_found"]);
      expect(
        verdicts([await sam.post(`/invites/${code}/join`), await olga.delete(`/servers/${gone.id}`)]),
      ).toEqual(["404 not_found", "404 not_found"]);
      expect(verdict(await bob.post(`/channels/${gone.general.id}/messages`, { content: "anybody?" }))).toBe(
        "404 not_found",
      );
      expect(verdict(await olga.patch(`/servers/${gone.id}/roles/${role.id}`, { name: "x" }))).toBe(
        "404 not_found",
      );
      expect((await bob.get<Server[]>("/servers")).body.map((each) => each.id)).not.toContain(gone.id);
      ear.close();
    });
  });
});
