// Lists of a large community, page by page: complete, in order, each entry once, and in pieces that let other work have
// its turn.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { nobodysId } from "../../tests/house/people/people.ts";
import { comeIn, crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { planOf, statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Ban, Member } from "./contract.ts";

const many = 2300;

onEachEngine("the lists of a large community", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  let people: string[];
  /** In the order in which they were banned. */
  let banned: string[];

  beforeAll(async () => {
    stage = await neighbours(house());
    people = await crowd(house(), stage.alice, many);
    await comeIn(
      house(),
      stage.home.id,
      people,
      (await stage.alice.giveRole(stage.home.id, stage.bob, 0)).id,
    );
    // Three hundred at each moment, so that moments continue beyond the end of a page; in the opposite order of ids.
    const rows = people.map((user_id, i) => ({
      server_id: stage.home.id,
      user_id,
      reason: null,
      created_at: 1_700_000_000_000 - Math.floor(i / 300),
    }));
    await fill(house(), "bans", rows);
    banned = rows
      .sort((one, other) => one.created_at - other.created_at || (one.user_id < other.user_id ? -1 : 1))
      .map((row) => row.user_id);
  }, 400_000);

  const bans = (query = "") => stage.alice.get<Ban[]>(`/servers/${stage.home.id}/bans${query}`);

  for (const limit of [undefined, 1000, 299, 300]) {
    test(`all bans come, ${limit ?? "as many as fit"} at a time, oldest first, each once`, async () => {
      const seen: string[] = [];
      const lengths: number[] = [];
      for (let more = "true"; more === "true"; ) {
        const query = new URLSearchParams();
        if (limit !== undefined) query.set("limit", String(limit));
        const last = seen.at(-1);
        if (last !== undefined) query.set("after", last);
        const page = await bans(`?${query}`);
        more = page.headers.get("x-has-more") ?? "";
        lengths.push(page.body.length);
        seen.push(...page.body.map((ban) => ban.user.id));
      }
      expect(seen).toEqual(banned);
      const full = limit ?? 1000;
      expect(lengths).toEqual([
        ...Array.from({ length: Math.floor(many / full) }, () => full),
        ...(many % full === 0 ? [] : [many % full]),
      ]);
    });
  }

  test("whoever is banned no more, or here, or at all, marks no place in the list", async () => {
    const [first, second] = banned;
    expect((await bans(`?after=${first}&limit=1`)).body.map((ban) => ban.user.id)).toEqual([second ?? ""]);
    for (const after of [nobodysId, stage.bob.id, "7", ""]) {
      expect([after, verdict(await bans(`?after=${after}`))]).toEqual([after, "400 invalid_request"]);
    }
    const other = await stage.alice.makeServer();
    expect(verdict(await stage.alice.get(`/servers/${other.id}/bans?after=${first}`))).toBe(
      "400 invalid_request",
    );
    expect(verdict(await stage.bob.get(`/servers/${stage.home.id}/bans?after=${first}`))).toBe(
      "403 forbidden",
    );
  });

  test("a page of a thousand members or bans is put together in pieces, each looked up by its people", async () => {
    const { answer, statements, rowsInOneTurn } = await statementsOf(house(), () =>
      stage.alice.get<Member[]>(`/servers/${stage.home.id}/members`),
    );
    expect(answer.body).toHaveLength(1000);
    expect(answer.headers.get("x-has-more")).toBe("true");
    expect(answer.body[0]).toMatchObject({ user: { id: expect.any(String) }, role_ids: expect.any(Array) });
    expect(new Set(answer.body.map((member) => member.user.id)).size).toBe(1000);
    expect(rowsInOneTurn).toBeLessThanOrEqual(1300);
    const ofBans = await statementsOf(house(), () => bans());
    expect(ofBans.rowsInOneTurn).toBeLessThanOrEqual(1300);
    // Neither list scans all members of the server, or holders of the role, for each of its pieces.
    for (const statement of new Set([...statements, ...ofBans.statements])) {
      const steps = planOf(house(), statement).filter((step) => /\b(held|theirs|mine)\b/.test(step));
      for (const step of steps) expect(step).toContain("user_id=?");
    }
  });
});
