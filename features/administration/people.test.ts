// Administration of people by the instance's owner and admins: the list, who may do what to whom, and the effects.
import { beforeAll, describe, expect, test } from "bun:test";
import { newId, tokenHash } from "../../server/tokens.ts";
import { soon } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId, send, type TestPerson } from "../../tests/house/people/people.ts";
import { crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { Logged } from "../../tests/house/scenes/logged.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { sessions } from "../sessions/handlers.ts";
import type { Account } from "./contract.ts";

const password = "correct horse battery";

onEachEngine("the people of an instance", (house) => {
  let owner: TestPerson;
  let admin: TestPerson;
  let second: TestPerson;
  beforeAll(async () => {
    owner = await house().person("olga");
    admin = await house().person("adam");
    second = await house().person("bert");
    for (const each of [admin, second]) await change(each, { instance_role: "admin" });
  });

  const list = (query: Record<string, string> = {}, by = owner) =>
    by.get<Account[]>(`/admin/users?${new URLSearchParams(query)}`);
  const found = async (q: string) => (await list({ q })).body.map(({ id }) => id);
  const change = (who: { id: string }, body: object, by = owner) =>
    by.patch<Account>(`/admin/users/${who.id}`, body);
  const me = (who: TestPerson) => who.get("/auth/me");
  const login = (who: TestPerson) =>
    send(house(), undefined, "POST", "/auth/login/password", { email: who.email, password });

  describe("the list", () => {
    test("has everybody by id, page by page, without bots, and says when each was last seen", async () => {
      const bob = await house().person("bob");
      const bot = await TestBot.make(bob);
      await change(bob, { disabled: true });
      const seen: Account[] = [];
      for (let more = "true"; more === "true"; ) {
        const last = seen.at(-1)?.id;
        const page = await list({ limit: "2", ...(last && { after: last }) });
        expect(page.body.length).toBeLessThanOrEqual(2);
        more = page.headers.get("x-has-more") ?? "";
        seen.push(...page.body);
      }
      const ids = seen.map(({ id }) => id);
      expect(ids).toEqual([...ids].sort());
      expect(ids).toEqual(expect.arrayContaining([owner.id, admin.id, second.id, bob.id]));
      expect(ids).not.toContain(bot.id);
      expect(seen.find(({ id }) => id === bob.id)).toEqual({
        id: bob.id,
        username: bob.username,
        display_name: "bob",
        instance_role: "member",
        disabled: true,
        created_at: expect.stringMatching(/Z$/),
        last_seen_at: expect.stringMatching(/Z$/),
      });
      expect((await list({}, admin)).body.map(({ id }) => id)).toEqual(ids);
    });

    test("holds 50 where nothing else is asked for, and 1 to 100 else", async () => {
      const people = await crowd(house(), owner, 120);
      for (const [query, length] of [
        [{}, 50],
        [{ limit: "1000" }, 100],
        [{ limit: "0" }, 1],
        [{ limit: "-5" }, 1],
      ] as const) {
        const { body, headers } = await list({ after: owner.id, ...query });
        expect([query, body.length, headers.get("x-has-more")]).toEqual([query, length, "true"]);
      }
      const tail = await list({ after: people.at(-11) ?? "", limit: "10" });
      expect([tail.body.length, tail.headers.get("x-has-more")]).toEqual([10, "false"]);
      // Nobody ever signed in as one of the crowd.
      expect(tail.body.map(({ last_seen_at }) => last_seen_at)).toEqual(Array(10).fill(null));
      const wrong: Record<string, string>[] = [{ limit: "x" }, { after: "x" }, { q: "x".repeat(255) }];
      for (const each of wrong) expect(verdict(await list(each))).toBe("400 invalid_request");
    });

    test("finds by a part of a name, and by a whole e-mail address alone", async () => {
      const zoe = await house().person("zebulon");
      await zoe.patch("/auth/me", { display_name: "Zoë Żuraw-Łoś" });
      for (const q of [
        "zebul",
        // Not hexadecimal: the names of the crowd are made of ids.
        "EBULO",
        "zoe",
        "ë ż",
        "uraw",
        "los",
        "ŁO",
        zoe.email,
        ` ${zoe.email.toUpperCase()} `,
      ])
        expect([q, await found(q)]).toEqual([q, [zoe.id]]);
      for (const q of [zoe.email.slice(1), "people.example", `${zoe.email}x`, "%", "\\", "\u0301"])
        expect([q, await found(q)]).toEqual([q, []]);
      expect(await found("  ")).toHaveLength(50);
    });

    test("finds by an address whose domain is in another script, in either form", async () => {
      const username = `anna_${owner.id.slice(-12)}`;
      const anna = { username, display_name: "Anna", password, email: `${username}@Müller.de` };
      const { body } = await send<{ id: string }>(house(), undefined, "POST", "/auth/register", anna);
      for (const q of [anna.email, `${username}@xn--mller-kva.de`, `${username.toUpperCase()}@MÜLLER.DE`])
        expect([q, await found(q)]).toEqual([q, [body.id]]);
      expect(await found("@müller.de")).toEqual([]);
    });

    test("when somebody was last seen outlives their sessions, and follows the next one", async () => {
      const carol = await house().person("carol");
      const seenAt = async () => {
        // The job that each process runs once a minute.
        for (const running of house().all) await sessions.jobs?.[0]?.run(running.house);
        return (await list({ q: carol.username })).body[0]?.last_seen_at ?? "";
      };
      const first = await seenAt();
      await Bun.sleep(20);
      const before = new Date().toISOString();
      await me(carol);
      const used = await seenAt();
      expect(used >= before && used > first).toBe(true);
      await owner.delete(`/admin/users/${carol.id}/sessions`);
      expect(await seenAt()).toBe(used);
      await house().restart();
      expect(await seenAt()).toBe(used);
      await Bun.sleep(20);
      await login(carol);
      expect((await seenAt()) > used).toBe(true);
      const latest = await seenAt();
      await owner.delete(`/admin/users/${carol.id}/sessions`);
      // A session that was last used earlier, but ends later.
      const long = { created_at: 1_700_000_000_000, last_used_at: 1_700_000_000_000, opened_by: null };
      const old = { id: newId(), user_id: carol.id, token_hash: tokenHash(newId()), user_agent: "" };
      await fill(house(), "sessions", [{ ...old, ...long }]);
      await owner.delete(`/admin/users/${carol.id}/sessions`);
      expect(await seenAt()).toBe(latest);
    });
  });

  describe("disabling", () => {
    test("ends sessions and sockets, and keeps the person out until it is undone", async () => {
      const bob = await house().person("bob");
      const ear = await bob.listen();
      const { status, body } = await change(bob, { disabled: true }, admin);
      expect([status, body.disabled, body.id]).toEqual([200, true, bob.id]);
      expect((await soon(ear.closed)).code).toBe(4010);
      expect(verdict(await me(bob))).toBe("401 unauthenticated");
      expect(verdict(await login(bob))).toBe("403 forbidden");
      expect((await change(bob, { disabled: true }, admin)).body.disabled).toBe(true);
      expect((await change(bob, { disabled: false }, admin)).body.disabled).toBe(false);
      expect((await login(bob)).status).toBe(200);
      expect(verdict(await me(bob))).toBe("401 unauthenticated");
    });

    test("what is asked for twice, or not at all, changes nothing and is no act", async () => {
      const bob = await house().person("bob");
      using log = new Logged(house(), "info");
      for (const body of [
        {},
        { disabled: false },
        { instance_role: "member" },
        { id: nobodysId, email: "x" },
      ])
        expect((await change(bob, body)).body).toMatchObject({
          id: bob.id,
          disabled: false,
          instance_role: "member",
        });
      expect(log.calls).toEqual([]);
      for (const wrong of [{ disabled: "yes" }, { instance_role: "owner" }, { instance_role: null }])
        expect(verdict(await change(bob, wrong))).toBe("400 invalid_request");
    });
  });

  describe("making admins", () => {
    test("the owner makes Bob one, who hears it and may, and takes it back", async () => {
      const bob = await house().person("bob");
      const ear = await bob.listen();
      expect(verdict(await list({}, bob))).toBe("403 forbidden");
      const made = await change(bob, { instance_role: "admin", disabled: false });
      expect(made.body.instance_role).toBe("admin");
      expect((await ear.next("ME_UPDATE")).data.instance_role as unknown).toBe("admin");
      expect((await list({}, bob)).status).toBe(200);
      await change(bob, { instance_role: "member" });
      expect(verdict(await list({}, bob))).toBe("403 forbidden");
      ear.close();
    });

    test("an admin may not, whomever it is about, nor change anything else along with it", async () => {
      const bob = await house().person("bob");
      for (const who of [bob, second, admin])
        for (const instance_role of ["admin", "member"])
          expect(verdict(await change(who, { instance_role, disabled: true }, admin))).toBe("403 owner_only");
      const { body } = await list({ q: bob.username });
      expect(body[0]).toMatchObject({ disabled: false, instance_role: "member" });
      expect((await me(second)).status).toBe(200);
    });
  });

  const acts: [string, (who: { id: string }, by: TestPerson) => Promise<{ status: number }>][] = [
    ["disabling", (who, by) => change(who, { disabled: true }, by)],
    ["enabling", (who, by) => change(who, { disabled: false }, by)],
    ["making a link for a new password", (who, by) => by.post(`/admin/users/${who.id}/reset-link`)],
    ["ending sessions", (who, by) => by.delete(`/admin/users/${who.id}/sessions`)],
  ];
  describe.each(acts)("%s", (_, act) => {
    const answer = async (who: { id: string }, by: TestPerson) => verdict((await act(who, by)) as never);

    test("is nothing that anybody does to themself", async () => {
      for (const who of [owner, admin]) {
        expect(await answer(who, who)).toBe("409 conflict");
        expect((await me(who)).status).toBe(200);
      }
    });

    test("is nothing that an admin does to the owner or another admin", async () => {
      for (const who of [owner, second]) {
        expect(await answer(who, admin)).toBe("403 hierarchy");
        expect((await me(who)).status).toBe(200);
      }
    });

    test("is for admins alone, before it is looked whom it is about", async () => {
      const [bob, carol] = [await house().person("bob"), await house().person("carol")];
      for (const id of [carol.id, owner.id, bob.id, nobodysId, "nonsense"])
        expect(await answer({ id }, bob)).toBe("403 forbidden");
      expect((await me(carol)).status).toBe(200);
    });

    test("finds neither bots nor what is nobody", async () => {
      const bot = await TestBot.make(await house().person("bob"));
      for (const id of [bot.id, nobodysId, "nonsense"])
        expect(await answer({ id }, admin)).toBe("404 not_found");
      expect((await bot.get("/servers")).status).toBe(200);
    });

    test("is possible for the owner, to an admin too, and the log says who did what to whom", async () => {
      using log = new Logged(house(), "info");
      const dora = await house().person("dora");
      await change(dora, { instance_role: "admin", disabled: true });
      await change(dora, { disabled: false });
      await login(dora);
      log.forget();
      expect(await answer(dora, owner)).toMatch(/^20/);
      const lines = log.calls.map(([line]) => line).filter((line) => Object(line).by !== undefined);
      const did = { disabling: "disable", enabling: undefined, "ending sessions": "end-sessions" };
      const expected = _ in did ? did[_ as keyof typeof did] : "reset-link";
      expect(lines).toEqual(expected ? [{ by: owner.id, whom: dora.id, did: expected }] : []);
    });
  });

  test("a link sets a new password once, within an hour; a disabled person gets none", async () => {
    const bob = await house().person("bob");
    const link = () => admin.post<{ url: string; expires_at: string }>(`/admin/users/${bob.id}/reset-link`);
    const reset = (url: string) => {
      const body = { token: url.split("token=")[1], new_password: "a quite new horse" };
      return send(house(), undefined, "POST", "/auth/password/reset", body);
    };
    const [older, newer] = [await link(), await link()];
    expect(newer.status).toBe(200);
    expect(Object.keys(newer.body).sort()).toEqual(["expires_at", "url"]);
    expect(newer.body.url).toStartWith(`${house().publicUrl}/reset-password#token=hr_`);
    const livesMs = Date.parse(newer.body.expires_at) - Date.now();
    expect(livesMs).toBeGreaterThan(3590_000);
    expect(livesMs).toBeLessThanOrEqual(3600_000);
    expect(verdict(await reset(older.body.url))).toBe("400 invalid_token");
    expect(verdict(await reset(newer.body.url))).toBe("204");
    expect(verdict(await reset(newer.body.url))).toBe("400 invalid_token");
    await change(bob, { disabled: true });
    expect(verdict(await link())).toBe("409 conflict");
  });

  test("a link is void once the admin who made it is none any more, or is disabled", async () => {
    const [eve, bob] = [await house().person("eve"), await house().person("bob")];
    const linkBy = async (maker: TestPerson) =>
      (await maker.post<{ url: string }>(`/admin/users/${bob.id}/reset-link`)).body.url.split("token=")[1];
    const reset = (token: string | undefined) =>
      send(house(), undefined, "POST", "/auth/password/reset", { token, new_password: "a quite new horse" });
    for (const end of [{ instance_role: "member" }, { disabled: true }]) {
      await change(eve, { instance_role: "admin", disabled: false });
      const token = await linkBy(eve);
      await change(eve, end);
      expect(verdict(await reset(token))).toBe("400 invalid_token");
    }
    const token = await linkBy(admin);
    expect(verdict(await reset(token))).toBe("204");
  });

  test("a link that an admin made is void once it is for another admin", async () => {
    const [eve, bob] = [await house().person("eve"), await house().person("bob")];
    await change(eve, { instance_role: "admin" });
    const { body } = await eve.post<{ url: string }>(`/admin/users/${bob.id}/reset-link`);
    await change(bob, { instance_role: "admin" });
    const taken = { token: body.url.split("token=")[1], new_password: "a quite new horse" };
    expect(verdict(await send(house(), undefined, "POST", "/auth/password/reset", taken))).toBe(
      "400 invalid_token",
    );
    expect((await login(bob)).status).toBe(200);
  });

  test("ending sessions closes the sockets, and the password stays", async () => {
    const bob = await house().person("bob");
    const ear = await bob.listen();
    expect((await admin.delete(`/admin/users/${bob.id}/sessions`)).status).toBe(204);
    for (const _ of house().all) expect(verdict(await me(bob))).toBe("401 unauthenticated");
    expect((await soon(ear.closed)).code).toBe(4010);
    expect((await admin.delete(`/admin/users/${bob.id}/sessions`)).status).toBe(204);
    expect((await login(bob)).status).toBe(200);
  });

  test("an admin who is one no more acts on nobody from the next call on", async () => {
    const [eve, bob] = [await house().person("eve"), await house().person("bob")];
    await change(eve, { instance_role: "admin" });
    expect((await change(bob, { disabled: false }, eve)).status).toBe(200);
    await change(eve, { instance_role: "member" });
    expect(verdict(await change(bob, { disabled: true }, eve))).toBe("403 forbidden");
    expect((await me(bob)).status).toBe(200);
  });
});
