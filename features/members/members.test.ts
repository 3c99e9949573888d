// Members: listing them page by page, leaving, and removing them.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Server } from "../servers/contract.ts";
import type { Member } from "./contract.ts";

onEachEngine("members", (house) => {
  let [olga, mia, bob, max, sam]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    [olga, mia, bob, max, sam] = await Promise.all(
      ["olga", "mia", "bob", "max", "sam"].map((name) => house().person(name)),
    );
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, mia!, bob!, max!);
  });

  const list = (query = "") => olga!.get<Member[]>(`/servers/${home.id}/members${query}`);
  const kick = (by: TestPerson | undefined, who: TestPerson | undefined) =>
    by!.delete(`/servers/${home.id}/members/${who!.id}`);

  test("all members are listed by id, with their roles, without their e-mail addresses", async () => {
    const role = await olga!.giveRole(home.id, bob!, permission.MANAGE_MESSAGES);
    const { body, headers } = await list();
    const ids = [olga!.id, mia!.id, bob!.id, max!.id].sort();
    expect(body.map((member) => member.user.id)).toEqual(ids);
    expect(headers.get("x-has-more")).toBe("false");
    expect(body.find((member) => member.user.id === bob!.id)).toMatchObject({
      user: { username: bob!.username, bot: false },
      role_ids: [role.id],
    });
    expect(JSON.stringify(body)).not.toContain("people.example");
  });

  test("page by page nobody is missed and nobody comes twice", async () => {
    const seen: string[] = [];
    let query = "?limit=1";
    for (let i = 0; i < 4; i++) {
      const { body, headers } = await list(query);
      expect([body.length, headers.get("x-has-more")]).toEqual([1, String(i < 3)]);
      seen.push(body[0]?.user.id ?? "");
      query = `?limit=1&after=${seen.at(-1)}`;
    }
    expect(seen).toEqual([olga!.id, mia!.id, bob!.id, max!.id].sort());
    expect((await list(query)).body).toEqual([]);
    const counts = await Promise.all(["0", "-5", "999999"].map((limit) => list(`?limit=${limit}`)));
    expect(counts.map(({ body }) => body.length)).toEqual([1, 1, 4]);
    const wrong = await Promise.all(
      ["limit=x", "limit=1.5", "limit=", "limit[]=1&limit=[]", "after=bob"].map((q) => list(`?${q}`)),
    );
    expect(new Set(verdicts(wrong))).toEqual(new Set(["400 invalid_request"]));
  });

  test("people see each other while they share a server, and themselves always", async () => {
    expect(verdicts([await bob!.get(`/users/${mia!.id}`), await sam!.get(`/users/${sam!.id}`)])).toEqual([
      "200",
      "200",
    ]);
    expect(verdicts([await sam!.get(`/users/${bob!.id}`), await bob!.get(`/users/${sam!.id}`)])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    const other = await olga!.makeServer("Theirs");
    await olga!.bringIn(other.id, sam!);
    expect(verdict(await olga!.get(`/users/${sam!.id}`))).toBe("200");
    await sam!.delete(`/servers/${other.id}/members/@me`);
    expect(verdict(await olga!.get(`/users/${sam!.id}`))).toBe("404 not_found");
  });

  test("Bob leaves: the others hear it, he hears it last, and it is as if he had never been there", async () => {
    const [theirs, his] = [await mia!.listen(), await bob!.listen()];
    expect(verdict(await bob!.delete(`/servers/${home.id}/members/@me`))).toBe("204");
    for (const ear of [theirs, his]) {
      expect((await ear.next("SERVER_MEMBER_REMOVE")).data as unknown).toEqual({
        user_id: bob!.id,
        reason: "left",
      });
    }
    await olga!.say(home.general.id, "He left.");
    await theirs.next("MESSAGE_CREATE");
    await his.settle();
    expect(his.heard("MESSAGE_CREATE")).toEqual([]);
    expect(
      verdicts([
        await bob!.get(`/servers/${home.id}`),
        await bob!.get(`/channels/${home.general.id}/messages`),
        await bob!.delete(`/servers/${home.id}/members/@me`),
      ]),
    ).toEqual(Array(3).fill("404 not_found"));
    expect((await olga!.get<Server>(`/servers/${home.id}`)).body.member_count).toBe(3);
    theirs.close();
    his.close();
  });

  test("the owner cannot leave", async () => {
    expect(verdict(await olga!.delete(`/servers/${home.id}/members/@me`))).toBe("409 conflict");
    expect((await list()).body).toHaveLength(4);
  });

  test("Mia, with KICK_MEMBERS, kicks who ranks below her; not her equals, nor the owner, nor herself", async () => {
    await olga!.giveRole(home.id, mia!, permission.KICK_MEMBERS, 5);
    await olga!.giveRole(home.id, max!, 0, 5);
    const ear = await bob!.listen();
    expect(
      verdicts([
        await kick(mia, max),
        await kick(mia, olga),
        await kick(mia, mia),
        await kick(mia, sam),
        await kick(mia, bob),
        await kick(mia, bob),
      ]),
    ).toEqual(["403 hierarchy", "403 hierarchy", "403 hierarchy", "404 not_found", "204", "404 not_found"]);
    expect((await ear.next("SERVER_MEMBER_REMOVE")).data as unknown).toEqual({
      user_id: bob!.id,
      reason: "kicked",
    });
    await olga!.bringIn(home.id, bob!);
    expect((await list()).body).toHaveLength(4);
    ear.close();
  });

  test("an administrator cannot kick the owner, nor an owner themselves", async () => {
    await olga!.giveRole(home.id, mia!, permission.ADMINISTRATOR, 100);
    expect(verdicts([await kick(mia, olga), await kick(olga, olga)])).toEqual([
      "403 hierarchy",
      "403 hierarchy",
    ]);
  });

  test("somebody who is kicked, leaves and is banned at the same moment is gone once", async () => {
    const ear = await mia!.listen();
    const answers = await Promise.all([
      kick(olga, bob),
      bob!.delete(`/servers/${home.id}/members/@me`),
      olga!.put(`/servers/${home.id}/bans/${bob!.id}`),
      kick(olga, bob),
    ]);
    expect(answers.every(({ status }) => status === 204 || status === 404)).toBe(true);
    await olga!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("SERVER_MEMBER_REMOVE")).toHaveLength(1);
    expect((await olga!.get<Server>(`/servers/${home.id}`)).body.member_count).toBe(3);
    expect((await list()).body).toHaveLength(3);
    ear.close();
  });
});
