// The preview of an invite: what anybody with a live code may see without an account, and what stays hidden.
import { expect, test } from "bun:test";
import { pictureOf } from "../../tests/house/material/images.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { nobodysId, send } from "../../tests/house/people/people.ts";
import { fetchPicture, putPicture } from "../../tests/house/scenes/avatars.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Invite } from "./contract.ts";

const ownPicture = "avatars/0123456789abcdef0123456789abcdef.webp";

onEachEngine("the preview of an invite", (house) => {
  const stage = homeForEach(house);

  const make = async (more: Record<string, unknown> = {}) =>
    (await stage.olga.post<Invite>("/invites", { server_id: stage.home.id, ...more })).body;
  const preview = (code: string, token?: string) => send(house(), token, "GET", `/invites/${code}/preview`);
  const change = (code: string, to: Record<string, unknown>) =>
    house().running.house.database.transaction((db) =>
      db.updateTable("invites").set(to).where("code", "=", code).execute(),
    );

  test("says where it leads, who made it and when it ends, and no id, address or username", async () => {
    const { code, expires_at } = await make({ max_uses: 3 });
    const shown = await preview(code);
    expect(shown.status).toBe(200);
    expect(shown.body as unknown).toEqual({
      server: { name: "Home", icon: null, member_count: 2 },
      inviter: { display_name: "olga", avatar: null },
      expires_at,
    });
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.headers.get("x-robots-tag")).toBe("noindex");
    expect((await preview((await make({ expires_hours: 0 })).code)).body.expires_at as unknown).toBeNull();
  });

  test("looks at no session, and takes no use", async () => {
    const { code } = await make({ max_uses: 1 });
    const { body } = await preview(code);
    for (const token of [stage.bob.token, `hs_${"x".repeat(43)}`])
      expect(await preview(code, token)).toMatchObject({ status: 200, body });
    expect((await stage.bob.get<Invite>(`/invites/${code}`)).body.uses).toBe(0);
    expect(verdict(await stage.carol.post(`/invites/${code}/join`))).toBe("200");
    expect(verdict(await preview(code))).toBe("410 invite_expired");
  });

  test("an ended invite is 410; one that was withdrawn or never was, or whose server is gone, is 404", async () => {
    const [old, withdrawn, orphaned] = [await make(), await make(), await make()];
    await change(old.code, { expires_at: Date.now() - 1, live_until: Date.now() - 1 });
    await stage.olga.delete(`/invites/${withdrawn.code}`);
    await change(orphaned.code, { server_id: nobodysId });
    const codes = [old.code, withdrawn.code, orphaned.code, "nosuchcode", "no%20code", "x".repeat(65)];
    expect(verdicts(await Promise.all(codes.map((code) => preview(code))))).toEqual([
      "410 invite_expired",
      ...Array(5).fill("404 not_found"),
    ]);
  });

  test("a code that nobody has takes the same statements as one that ended, and as a live one", async () => {
    const [live, old] = [await make(), await make()];
    await change(old.code, { live_until: 0 });
    const statements: string[][] = [];
    for (const code of [live.code, old.code, "nosuchcode"])
      statements.push((await statementsOf(house(), () => preview(code))).statements);
    const [ofLive, ...others] = statements;
    expect(ofLive?.length).toBeGreaterThan(0);
    expect(others).toEqual([ofLive ?? [], ofLive ?? []]);
  });

  test("shows no inviter whose account is disabled, or gone", async () => {
    const carla = await house().person("carla");
    await stage.olga.bringIn(stage.home.id, carla);
    const { code } = (await carla.post<Invite>("/invites", { server_id: stage.home.id })).body;
    const inviter = async (): Promise<unknown> => (await preview(code)).body.inviter;
    expect(await inviter()).toEqual({ display_name: "carla", avatar: null });
    expect((await house().command(["disable", carla.username])).ok).toBe(true);
    expect(await inviter()).toBeNull();
    expect((await house().command(["enable", carla.username])).ok).toBe(true);
    expect(await inviter()).not.toBeNull();
    await change(code, { inviter_id: nobodysId });
    expect(await inviter()).toBeNull();
  });

  test("shows own pictures, which anybody can load without a session, and no addresses of others", async () => {
    const { olga, home } = stage;
    const { code } = await make();
    const shown = async () => {
      const { server, inviter } = (await preview(code)).body;
      return [server?.icon, inviter?.avatar] as unknown[];
    };
    for (const icon of ["https://pictures.example/home.png", `${house().publicUrl}/${ownPicture}`]) {
      await olga.patch(`/servers/${home.id}`, { icon });
      expect([icon, await shown()]).toEqual([icon, [null, null]]);
    }
    const picture = await pictureOf("png", { width: 100, height: 100 });
    const { body: server } = await putPicture(olga, `/servers/${home.id}/icon`, picture);
    const { body: me } = await putPicture(olga, "/auth/me/avatar", picture);
    const addresses: unknown[] = [server.icon, me.avatar];
    expect(await shown()).toEqual(addresses);
    for (const address of addresses) expect((await fetchPicture(house(), address)).status).toBe(200);
  });
});
