// Bans: they remove members, keep out others, and can be lifted.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";

interface Ban {
  user: { id: string; username: string; presence: string; status_text: string; bio: string };
  reason: string | null;
  created_at: string;
}

onEachEngine("bans", (house) => {
  let [olga, mia, bob, max, sam]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let code: string;

  beforeAll(async () => {
    [olga, mia, bob, max, sam] = await Promise.all(
      ["olga", "mia", "bob", "max", "sam"].map((name) => house().person(name)),
    );
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, mia!, bob!, max!);
    await olga!.giveRole(home.id, mia!, permission.BAN_MEMBERS, 5);
    code = (await olga!.post<{ code: string }>("/invites", { server_id: home.id })).body.code;
  });

  const ban = (by: TestPerson | undefined, who: TestPerson | undefined, body?: unknown) =>
    by!.put(`/servers/${home.id}/bans/${who!.id}`, body);
  const unban = (who: TestPerson | undefined) => mia!.delete(`/servers/${home.id}/bans/${who!.id}`);
  const list = async () => (await mia!.get<Ban[]>(`/servers/${home.id}/bans`)).body;
  const join = async (who: TestPerson | undefined) => verdict(await who!.post(`/invites/${code}/join`));

  test("Bob is banned: he hears it last, is out, stays out, and is listed with the reason", async () => {
    const ear = await bob!.listen();
    expect(verdict(await ban(mia, bob, { reason: "noise" }))).toBe("204");
    expect((await ear.next("SERVER_MEMBER_REMOVE")).data as unknown).toEqual({
      user_id: bob!.id,
      reason: "banned",
    });
    expect(verdict(await bob!.get(`/servers/${home.id}`))).toBe("404 not_found");
    expect(await join(bob)).toBe("403 banned");
    expect((await list()).map(({ user, reason }) => [user.id, reason])).toEqual([[bob!.id, "noise"]]);
    expect(JSON.stringify(await list())).not.toContain("people.example");
    ear.close();
  });

  test("a refused joiner costs the invite no use", async () => {
    const once = (await olga!.post<{ code: string }>("/invites", { server_id: home.id, max_uses: 1 })).body
      .code;
    await ban(mia, sam);
    expect(verdict(await sam!.post(`/invites/${once}/join`))).toBe("403 banned");
    await bob!.delete(`/servers/${home.id}/members/@me`);
    expect(verdict(await bob!.post(`/invites/${once}/join`))).toBe("200");
  });

  test("somebody who never was here can be kept out beforehand; nobody at all cannot", async () => {
    expect(verdict(await ban(mia, sam))).toBe("204");
    expect(await join(sam)).toBe("403 banned");
    const nobody = `/servers/${home.id}/bans/01890000-0000-7000-8000-000000000000`;
    expect(verdicts([await mia!.put(nobody), await mia!.put(`/servers/${home.id}/bans/bob`)])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    expect(await list()).toHaveLength(1);
  });

  test("to ban a stranger shows who it is, and neither when they are connected nor what they say of themselves", async () => {
    await sam!.patch("/auth/me", { bio: "A sailor", status_text: "At sea" });
    const ear = await sam!.listen();
    await ban(mia, sam);
    const [shown] = await list();
    expect(shown?.user).toMatchObject({ id: sam!.id, presence: "offline", status_text: "", bio: "" });
    expect(shown?.user.username).toStartWith("sam");
    ear.close();
  });

  test("who shares another server with the one that looks is shown as there", async () => {
    await bob!.patch("/auth/me", { bio: "A baker", status_text: "Baking" });
    const theirs = await olga!.makeServer("Theirs");
    await olga!.bringIn(theirs.id, mia!, bob!);
    await ban(mia, bob);
    const [shown] = await list();
    expect(shown?.user).toMatchObject({ id: bob!.id, bio: "A baker", status_text: "Baking" });
  });

  test("a second ban only changes the reason; lifting it, also twice, lets him in again", async () => {
    await ban(mia, bob, { reason: "noise" });
    expect(verdict(await ban(mia, bob, { reason: null }))).toBe("204");
    expect((await list()).map(({ reason }) => reason)).toEqual([null]);
    expect(verdicts([await unban(bob), await unban(bob)])).toEqual(["204", "204"]);
    expect(await list()).toEqual([]);
    expect(await join(bob)).toBe("200");
  });

  test("not above oneself: neither one's equals nor the owner", async () => {
    await olga!.giveRole(home.id, max!, 0, 5);
    expect(verdicts([await ban(mia, max), await ban(mia, olga), await ban(mia, mia)])).toEqual(
      Array(3).fill("403 hierarchy"),
    );
    expect(await list()).toEqual([]);
    expect(verdict(await max!.get(`/servers/${home.id}`))).toBe("200");
  });

  test("a reason is a text of at most 512 characters", async () => {
    for (const reason of ["x".repeat(513), 7, {}, "a\0b"]) {
      expect(verdict(await ban(mia, bob, { reason }))).toBe("400 invalid_request");
    }
    expect(verdict(await ban(mia, bob, "not json"))).toBe("400 malformed_json");
    expect(verdict(await bob!.get(`/servers/${home.id}`))).toBe("200");
  });
});
