// The invites of a large community: all live ones, page by page, newest first, each once.
import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { planOf, statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Invite } from "./contract.ts";

const many = 2300;

onEachEngine("many invites", (house) => {
  const stage = homeForEach(house);

  const list = (query = "", serverId = stage.home.id) =>
    stage.olga.get<Invite[]>(`/servers/${serverId}/invites${query}`);

  /** Makes invites, three hundred at each moment. Returns their codes, newest first. */
  async function make(count: number, more: { live_until?: number; expires_at?: number } = {}) {
    const rows = Array.from({ length: count }, (_, i) => ({
      code: `c${crypto.randomUUID().replaceAll("-", "")}`,
      server_id: stage.home.id,
      inviter_id: stage.olga.id,
      expires_at: null,
      max_uses: 0,
      uses: 0,
      created_at: 1_700_000_000_000 + Math.floor(i / 300),
      live_until: Number.MAX_SAFE_INTEGER,
      ...more,
    }));
    await fill(house(), "invites", rows);
    return rows
      .sort((one, other) => other.created_at - one.created_at || (one.code < other.code ? 1 : -1))
      .map((row) => row.code);
  }

  for (const limit of [undefined, 1000, 300]) {
    test(`all of them come, ${limit ?? "as many as fit"} at a time`, async () => {
      const own = (await list()).body.map((invite) => invite.code);
      const codes = [...own, ...(await make(many))];
      await make(50, { live_until: Date.now() - 1, expires_at: Date.now() - 1 });
      const seen: string[] = [];
      for (let more = "true"; more === "true"; ) {
        const query = new URLSearchParams();
        if (limit !== undefined) query.set("limit", String(limit));
        const last = seen.at(-1);
        if (last !== undefined) query.set("before", last);
        const page = await list(`?${query}`);
        more = page.headers.get("x-has-more") ?? "";
        expect(page.body.length).toBe(Math.min(limit ?? 1000, codes.length - seen.length));
        seen.push(...page.body.map((invite) => invite.code));
      }
      expect(seen).toEqual(codes);
    });
  }

  test("what is no invite to this server marks no place in the list", async () => {
    const [newest, next] = [...(await list()).body.map((invite) => invite.code), ...(await make(3))];
    expect((await list(`?before=${newest}&limit=1`)).body.map((invite) => invite.code)).toEqual([next ?? ""]);
    const other = await stage.olga.makeServer();
    expect(verdict(await list(`?before=${newest}`, other.id))).toBe("400 invalid_request");
    for (const before of ["nothing", "", "a b", "7".repeat(65)]) {
      expect([before, verdict(await list(`?before=${encodeURIComponent(before)}`))]).toEqual([
        before,
        "400 invalid_request",
      ]);
    }
    expect(verdict(await stage.bob.get(`/servers/${stage.home.id}/invites?before=${newest}`))).toBe(
      "403 forbidden",
    );
  });

  test("those that came to their end are not looked at to make one more, nor to list", async () => {
    await make(many, { live_until: 0 });
    const { answer, statements } = await statementsOf(house(), async () => {
      const made = await stage.olga.post("/invites", { server_id: stage.home.id });
      return { made: verdict(made), live: (await list()).body };
    });
    expect(answer.made).toBe("201");
    expect(answer.live).toHaveLength(2);
    const searches = statements.filter((sql) => /^select .* from "invites"/.test(sql));
    expect(searches).toHaveLength(2);
    for (const statement of searches) {
      const plan = planOf(house(), statement).filter((step) => /\binvites\b/.test(step));
      for (const step of plan) expect(step).toMatch(/live_until>\?|\(code=\?\)/);
    }
  });

  test("the last use ends an invite, for the list as for who joins", async () => {
    const { body } = await stage.olga.post<Invite>("/invites", { server_id: stage.home.id, max_uses: 1 });
    const shown = async () => (await list()).body.some((invite) => invite.code === body.code);
    expect(await shown()).toBe(true);
    expect(verdict(await stage.carol.post(`/invites/${body.code}/join`))).toBe("200");
    expect(await shown()).toBe(false);
    expect(verdict(await stage.carol.post(`/invites/${body.code}/join`))).toBe("200");
    expect(verdict(await stage.carol.get(`/invites/${body.code}`))).toBe("410 invite_expired");
  });
});
