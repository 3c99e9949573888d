// Invites: made by members, looked up by anybody signed in, listed and revoked by those who may.
import { beforeAll, beforeEach, expect, setSystemTime, test } from "bun:test";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Server } from "../servers/contract.ts";
import type { Invite } from "./contract.ts";

const hour = 3600_000;

onEachEngine("invites", (house) => {
  let [olga, bob, max, sam]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    [olga, bob, max, sam] = await Promise.all(
      ["olga", "bob", "max", "sam"].map((name) => house().person(name)),
    );
  });
  beforeEach(async () => {
    home = await olga!.makeServer("Home");
    await olga!.bringIn(home.id, bob!, max!);
  });

  const make = (by: TestPerson | undefined, more: Record<string, unknown> = {}) =>
    by!.post<Invite>("/invites", { server_id: home.id, ...more });
  const expire = (code: string) =>
    house().running.house.database.transaction((db) =>
      db
        .updateTable("invites")
        .set({ expires_at: Date.now() - 1, live_until: Date.now() - 1 })
        .where("code", "=", code)
        .execute(),
    );

  test("a plain invite lives for a day, without a limit of uses, under a code that cannot be guessed", async () => {
    const { status, body } = await make(bob);
    expect(status).toBe(201);
    expect(body).toEqual({
      code: body.code,
      url: `${house().publicUrl}/invite/${body.code}`,
      server_id: home.id,
      expires_at: body.expires_at,
      max_uses: 0,
      uses: 0,
    });
    expect(body.code).toMatch(/^[A-Za-z0-9_-]{11,}$/);
    expect(Math.abs(Date.parse(body.expires_at ?? "") - Date.now() - 24 * hour)).toBeLessThan(60_000);
  });

  test("0 hours is forever, a year is the most; 10,000 uses are the most", async () => {
    expect((await make(bob, { expires_hours: 0 })).body.expires_at).toBeNull();
    expect(verdict(await make(bob, { expires_hours: 8760, max_uses: 10_000 }))).toBe("201");
    const wrong: Record<string, unknown>[] = [
      { expires_hours: -1 },
      { expires_hours: 8761 },
      { expires_hours: 1.5 },
      { expires_hours: "24" },
      { expires_hours: null },
      { max_uses: -1 },
      { max_uses: 10_001 },
      { max_uses: 0.5 },
      { server_id: "home" },
      { server_id: null },
    ];
    for (const each of wrong)
      expect([each, verdict(await make(bob, each))]).toEqual([each, "400 invalid_request"]);
  });

  test("looked up, it tells a stranger where it leads and who asks, and no more of them than others may know", async () => {
    const { code, expires_at } = (await make(bob, { max_uses: 3 })).body;
    const { status, body } = await sam!.get(`/invites/${code}`);
    expect(status).toBe(200);
    expect(body as unknown).toEqual({
      code,
      server: { id: home.id, name: "Home", icon: null, member_count: 3 },
      server_name: "Home",
      inviter: {
        id: bob!.id,
        username: bob!.username,
        display_name: "bob",
        avatar: expect.stringContaining("gravatar"),
      },
      expires_at,
      max_uses: 3,
      uses: 0,
    });
  });

  test("an expired or used-up invite is 410 to look at and to join by; an unknown one is 404", async () => {
    const old = (await make(bob)).body.code;
    const used = (await make(bob, { max_uses: 1 })).body.code;
    await expire(old);
    await sam!.post(`/invites/${used}/join`);
    await sam!.delete(`/servers/${home.id}/members/@me`);
    for (const code of [old, used]) {
      expect(
        verdicts([await sam!.get(`/invites/${code}`), await sam!.post(`/invites/${code}/join`)]),
      ).toEqual(["410 invite_expired", "410 invite_expired"]);
    }
    // Some codes have no capital letter, and some no small one.
    const otherCase = old.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const code of ["nosuchcode", "x".repeat(65), "no%20code", "..%2F..", "%00", otherCase]) {
      const answers = [await sam!.get(`/invites/${code}`), await sam!.post(`/invites/${code}/join`)];
      expect([code, ...verdicts(answers)]).toEqual([code, "404 not_found", "404 not_found"]);
    }
    expect(verdict(await sam!.get(`/servers/${home.id}`))).toBe("404 not_found");
  });

  test("only live ones are listed, newest first, for MANAGE_SERVER", async () => {
    const dead = (await make(bob)).body.code;
    await expire(dead);
    const first = (await make(bob, { expires_hours: 0 })).body;
    await Bun.sleep(2);
    const second = (await make(max, { max_uses: 2 })).body;
    expect(verdict(await bob!.get(`/servers/${home.id}/invites`))).toBe("403 forbidden");
    const { body } = await olga!.get<Invite[]>(`/servers/${home.id}/invites`);
    expect(body.filter(({ code }) => code === first.code || code === second.code)).toEqual([second, first]);
    expect(body.map(({ code }) => code)).not.toContain(dead);
  });

  test("who made it may withdraw it, even from outside; others need MANAGE_SERVER; strangers see nothing", async () => {
    const { code } = (await make(bob)).body;
    const another = (await make(bob)).body.code;
    expect(verdicts([await max!.delete(`/invites/${code}`), await sam!.delete(`/invites/${code}`)])).toEqual([
      "403 forbidden",
      "404 not_found",
    ]);
    expect(verdict(await sam!.get(`/invites/${code}`))).toBe("200");
    await bob!.delete(`/servers/${home.id}/members/@me`);
    expect(verdicts([await bob!.delete(`/invites/${code}`), await bob!.delete(`/invites/${code}`)])).toEqual([
      "204",
      "404 not_found",
    ]);
    expect(verdict(await olga!.delete(`/invites/${another}`))).toBe("204");
    expect(
      verdicts([await sam!.get(`/invites/${code}`), await sam!.post(`/invites/${another}/join`)]),
    ).toEqual(["404 not_found", "404 not_found"]);
  });

  test("a member has at most 50 live ones, also when asking for all at once; a dead one makes room", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => insisted(() => make(bob))));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(50);
    expect(new Set(verdicts(answers))).toEqual(new Set(["201", "409 conflict"]));
    expect(verdict(await make(max))).toBe("201");
    await expire(answers.find((answer) => answer.status === 201)?.body.code ?? "");
    expect(verdicts([await make(bob), await make(bob)])).toEqual(["201", "409 conflict"]);
  });

  test("joining answers the server, and everybody there hears who came; the newcomer gets the server", async () => {
    const { code } = (await make(bob)).body;
    const [there, here] = [await olga!.listen(), await sam!.listen()];
    const joined = await sam!.post<Server>(`/invites/${code}/join`);
    expect(joined.status).toBe(200);
    expect(joined.body).toMatchObject({ id: home.id, member_count: 4, permissions: 1795 });
    expect((await there.next("SERVER_MEMBER_ADD")).data as unknown).toMatchObject({
      user: { id: sam!.id },
      role_ids: [],
    });
    expect((await here.next("SERVER_CREATE")).data as unknown).toMatchObject({ id: home.id });
    there.close();
    here.close();
  });

  test("who is a member already joins again without a use, an event, or a second membership", async () => {
    const { code } = (await make(olga, { max_uses: 1 })).body;
    const ear = await max!.listen();
    const again = await Promise.all(
      Array.from({ length: 5 }, () => insisted(() => bob!.post<Server>(`/invites/${code}/join`))),
    );
    expect(new Set(verdicts(again))).toEqual(new Set(["200"]));
    expect(again[0]?.body.member_count).toBe(3);
    await olga!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("SERVER_MEMBER_ADD")).toEqual([]);
    expect((await olga!.get<Invite>(`/invites/${code}`)).body.uses).toBe(0);
    ear.close();
  });

  test("one person who joins ten times at once takes one use", async () => {
    const guest = await house().person("guest");
    const { code } = (await make(olga, { max_uses: 2 })).body;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => insisted(() => guest.post(`/invites/${code}/join`))),
    );
    expect(new Set(verdicts(answers))).toEqual(new Set(["200"]));
    expect((await olga!.get<Invite>(`/invites/${code}`)).body.uses).toBe(1);
    expect((await olga!.get<Server>(`/servers/${home.id}`)).body.member_count).toBe(4);
  });

  // Must be the last test: it moves the clock of the house ahead.
  test("it ends by itself after its hours; one of 0 hours goes on", async () => {
    const day = (await make(bob)).body.code;
    const hours = (await make(bob, { expires_hours: 48 })).body.code;
    const forever = (await make(bob, { expires_hours: 0 })).body.code;
    const answers = async () =>
      verdicts(await Promise.all([day, hours, forever].map((code) => sam!.get(`/invites/${code}`))));
    const start = Date.now();
    try {
      setSystemTime(start + 24 * hour - 60_000);
      expect(await answers()).toEqual(["200", "200", "200"]);
      setSystemTime(start + 24 * hour + 60_000);
      expect(await answers()).toEqual(["410 invite_expired", "200", "200"]);
      expect(verdict(await sam!.post(`/invites/${day}/join`))).toBe("410 invite_expired");
      setSystemTime(start + 48 * hour + 60_000);
      expect(await answers()).toEqual(["410 invite_expired", "410 invite_expired", "200"]);
      const listed = (await olga!.get<Invite[]>(`/servers/${home.id}/invites`)).body;
      expect(listed.map(({ code }) => code)).toEqual([forever]);
      setSystemTime(start + 25 * 24 * hour);
      expect(await answers()).toEqual(["410 invite_expired", "410 invite_expired", "200"]);
      expect(verdict(await sam!.post(`/invites/${forever}/join`))).toBe("200");
    } finally {
      setSystemTime();
    }
  });
});
