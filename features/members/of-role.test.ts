// The members who hold one role: page by page like all members, each with all of their roles.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { nobodysId, type TestPerson } from "../../tests/house/people/people.ts";
import { comeIn, crowd } from "../../tests/house/scenes/crowd.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { planOf, statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Role } from "../roles/contract.ts";
import type { Member } from "./contract.ts";

onEachEngine("the members of a role", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  let role: Role;
  beforeAll(async () => {
    stage = await neighbours(house());
    role = await stage.alice.giveRole(stage.home.id, stage.bob, 0);
  });

  const ask = (query: Record<string, string>, by: TestPerson = stage.alice) =>
    by.get<Member[]>(`/servers/${stage.home.id}/members?${new URLSearchParams(query)}`);
  const holders = async (query: Record<string, string> = {}) => {
    const { status, body } = await ask({ role_id: role.id, ...query });
    expect(status).toBe(200);
    return body.map(({ user }) => user.id);
  };

  test("are those who hold it now, as any member sees them in the list", async () => {
    const { alice, bob, carol, home } = stage;
    expect(await holders()).toEqual([bob.id]);
    const inList = (await ask({ ids: bob.id })).body;
    expect((await ask({ role_id: role.id }, carol)).body).toEqual(inList);
    const other = await alice.giveRole(home.id, carol, 0);
    expect(await holders()).toEqual([bob.id]);
    await alice.put(`/servers/${home.id}/members/${carol.id}/roles`, { role_ids: [other.id, role.id] });
    expect(await holders()).toEqual([bob.id, carol.id].sort());
    const hers = (await ask({ role_id: role.id })).body.find(({ user }) => user.id === carol.id);
    expect(hers?.role_ids.toSorted()).toEqual([other.id, role.id].sort());
    await alice.delete(`/servers/${home.id}/members/${carol.id}`);
    expect(await holders()).toEqual([bob.id]);
    await alice.bringIn(home.id, carol);
    expect(await holders()).toEqual([bob.id]);
  });

  test("of everyone are all members; a role of another server, or of none, is not found", async () => {
    const { alice, home } = stage;
    const roles = (await alice.get<Role[]>(`/servers/${home.id}/roles`)).body;
    const everyone = roles.find(({ is_default }) => is_default);
    const all = (await ask({ role_id: String(everyone?.id) })).body;
    expect(all).toEqual((await ask({})).body);
    const elsewhere = await alice.makeServer("Elsewhere");
    const [foreign] = (await alice.get<Role[]>(`/servers/${elsewhere.id}/roles`)).body;
    for (const id of [String(foreign?.id), nobodysId])
      expect([id, verdict(await ask({ role_id: id }))]).toEqual([id, "404 not_found"]);
    const gone = await alice.giveRole(home.id, stage.carol, 0);
    await alice.delete(`/servers/${home.id}/roles/${gone.id}`);
    expect(verdict(await ask({ role_id: gone.id }))).toBe("404 not_found");
  });

  test("are asked for by after and limit, not with a name or ids; and only by members", async () => {
    const { bob } = stage;
    const stranger = await house().person("stranger");
    const others: Record<string, string>[] = [{ q: "b" }, { ids: bob.id }];
    for (const query of others)
      expect(verdict(await ask({ role_id: role.id, ...query }))).toBe("400 invalid_request");
    expect(verdict(await ask({ role_id: "none" }))).toBe("400 invalid_request");
    expect(verdict(await ask({ role_id: role.id }, stranger))).toBe("404 not_found");
    expect(await holders({ after: bob.id })).toEqual([]);
    expect(await holders({ limit: "1" })).toEqual([bob.id]);
  });

  test("come page by page, each once, by id, without a look at all members", async () => {
    const { alice, home } = stage;
    const crowded = await alice.giveRole(home.id, stage.bob, 0);
    const people = await crowd(house(), alice, 250);
    await comeIn(house(), home.id, people.slice(0, 120), crowded.id);
    await comeIn(house(), home.id, people.slice(120));
    const seen: string[] = [];
    const more: (string | null)[] = [];
    do {
      const after = seen.at(-1);
      const page = await ask({ role_id: crowded.id, limit: "50", ...(after && { after }) });
      seen.push(...page.body.map(({ user }) => user.id));
      more.push(page.headers.get("x-has-more"));
    } while (more.at(-1) === "true");
    expect(seen).toEqual([...people.slice(0, 120), stage.bob.id].sort());
    expect(more).toEqual(["true", "true", "false"]);
    const { statements } = await statementsOf(house(), () => ask({ role_id: crowded.id, limit: "50" }));
    const ofHolders = statements.find((text) => text.includes('from "member_roles"') && /limit/.test(text));
    for (const step of planOf(house(), String(ofHolders)).filter((each) => /member_roles/.test(each)))
      expect(step).toContain("role_id=?");
  });
});
