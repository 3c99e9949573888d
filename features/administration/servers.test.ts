// The list of all servers of the instance, for its admins, whoever owns them.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { SharedServer } from "../servers/contract.ts";

onEachEngine("the servers of an instance", (house) => {
  let owner: TestPerson;
  let alice: TestPerson;
  beforeAll(async () => {
    [owner, alice] = [await house().person("olga"), await house().person("alice")];
  });
  const list = (query: Record<string, string> = {}, by = owner) =>
    by.get<SharedServer[]>(`/admin/servers?${new URLSearchParams(query)}`);

  test("are listed with what every member sees of them, to admins alone", async () => {
    const home = await alice.makeServer("Café Größe");
    const { id, name, icon, owner_id, member_count, created_at } = home;
    const shown = { id, name, icon, owner_id, member_count, created_at };
    expect((await list()).body).toEqual([shown]);
    for (const q of ["cafe", "FÉ GR", "größ", " café "]) expect((await list({ q })).body).toEqual([shown]);
    for (const q of ["tea", "%", alice.username, id, "\u0301"]) expect((await list({ q })).body).toEqual([]);
    expect(verdict(await list({}, alice))).toBe("403 forbidden");
    await alice.delete(`/servers/${id}`);
    expect((await list()).body).toEqual([]);
  });

  test("come by id, page by page; a name among thousands is found in pieces", async () => {
    const rows = Array.from({ length: 1800 }, (_, i) => ({
      id: Bun.randomUUIDv7(),
      name: i === 1700 ? "The needle" : `Haystack ${i}`,
      icon: null,
      own_icon: null,
      owner_id: alice.id,
      member_count: 1,
      created_at: Date.now(),
    })).sort((one, other) => (one.id < other.id ? -1 : 1));
    await fill(house(), "servers", rows);
    const expected = rows.filter(({ name }) => name.startsWith("Haystack 1")).map(({ id }) => id);
    const seen: string[] = [];
    for (let more = "true"; more === "true"; ) {
      const last = seen.at(-1);
      const page = await list({ limit: "100", ...(last && { after: last }) });
      more = page.headers.get("x-has-more") ?? "";
      seen.push(...page.body.map((server) => server.id));
    }
    expect(seen).toEqual(rows.map((row) => row.id));
    const named: string[] = [];
    for (let more = "true"; more === "true"; ) {
      const last = named.at(-1);
      const page = await list({ q: "haystack 1", limit: "90", ...(last && { after: last }) });
      more = page.headers.get("x-has-more") ?? "";
      expect(page.body.length).toBe(Math.min(90, expected.length - named.length));
      named.push(...page.body.map((server) => server.id));
    }
    expect(named).toEqual(expected);
    const { answer, rowsInOneTurn } = await statementsOf(house(), () => list({ q: "needle" }));
    expect(answer.body.map((server) => server.name)).toEqual(["The needle"]);
    expect(rowsInOneTurn).toBeLessThanOrEqual(510);
  });
});
