// Notification settings of hidden, left and deleted servers, channels and people; their number and rate limits.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { permission } from "../../protocol/permissions.ts";
import { newId } from "../../server/tokens.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import {
  inReady,
  nothingShown as nothing,
  settingsForEach,
  shown,
} from "../../tests/house/scenes/notification-settings.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { NotificationSettings } from "./contract.ts";
import { takeTurn } from "./keeping.ts";

onEachEngine("notification settings that end", (house) => {
  const { stage, onServer, onChannel, open, setEveryone } = settingsForEach(house);

  test("what one does not see any more is not shown, and comes back with the sight", async () => {
    const { bob, home } = stage;
    await onServer(bob, { level: "all" });
    await onChannel(bob, home.general.id, { level: "none" });
    const before = await shown(bob);
    await setEveryone(permission.SEND_MESSAGES);
    const hidden = { ...before, channels: [] };
    expect(await shown(bob)).toEqual(hidden);
    expect(inReady(await bob.listen())).toEqual(hidden);
    await onServer(bob, { level: "none" });
    await setEveryone(permission.VIEW_CHANNEL);
    expect((await shown(bob)).channels).toEqual(before.channels);
  });

  const partings: Record<string, () => Promise<{ status: number }>> = {
    leaving: () => stage.bob.delete(`/servers/${stage.home.id}/members/@me`),
    "a kick": () => stage.olga.delete(`/servers/${stage.home.id}/members/${stage.bob.id}`),
    "a ban": () => stage.olga.put(`/servers/${stage.home.id}/bans/${stage.bob.id}`),
  };
  for (const [what, part] of Object.entries(partings)) {
    test(`${what} forgets the settings of that server, tells one's devices, and keeps those of others`, async () => {
      const { olga, bob, home } = stage;
      const other = await bob.makeServer("Bob's");
      await bob.put(`/channels/${other.general.id}/notification-settings`, { level: "none" });
      await onServer(bob, { level: "all" });
      await onChannel(bob, home.general.id, { level: "none" });
      await onServer(olga, { level: "all" });
      const ear = await bob.listen();
      expect((await part()).status).toBe(204);
      const kept: NotificationSettings = {
        servers: [],
        channels: [{ channel_id: other.general.id, level: "none", muted_until: null }],
      };
      expect((await ear.next("NOTIFICATION_SETTINGS_UPDATE")).data as unknown).toEqual(kept);
      await olga.delete(`/servers/${home.id}/bans/${bob.id}`);
      await olga.bringIn(home.id, bob);
      expect(await shown(bob)).toEqual(kept);
      expect((await shown(olga)).servers).toHaveLength(1);
      expect((await part()).status).toBe(204);
      await ear.settle();
      expect(ear.heard("NOTIFICATION_SETTINGS_UPDATE")).toHaveLength(1);
    });
  }

  test("a deleted channel's settings are out of reach at once and swept, and so are those of a deleted server", async () => {
    const { olga, bob, home } = stage;
    const den = await open("den");
    for (const { id } of [den, home.general]) await onChannel(bob, id, { level: "all" });
    await onServer(bob, { level: "all" });
    const left = async () => {
      const { read } = house().running.house.database;
      const rows = await read.selectFrom("notification_settings").select("target_id").execute();
      return rows.map((row) => row.target_id).sort();
    };
    await olga.delete(`/channels/${den.id}`);
    expect((await shown(bob)).channels.map((each) => each.channel_id)).toEqual([home.general.id]);
    await sweep(house());
    expect(await left()).toEqual([home.id, home.general.id].sort());
    await olga.delete(`/servers/${home.id}`);
    expect(await shown(bob)).toEqual(nothing);
    await sweep(house());
    expect(await left()).toEqual([]);
  });

  test("a thousand are enough: one more is 409; those that are over make room", async () => {
    const { bob, home } = stage;
    const row = { user_id: bob.id, server_id: home.id, level: "none" as const, muted_until: null };
    const many = Array.from({ length: limits.notification_settings_max }, () => newId());
    await fill(
      house(),
      "notification_settings",
      many.map((target_id) => ({ ...row, target_id })),
    );
    expect(verdict(await onServer(bob, { level: "all" }))).toBe("409 conflict");
    expect((await onServer(bob, {})).status).toBe(204);
    expect(await shown(bob)).toEqual(nothing);
    await house().running.house.database.transaction((db) =>
      db
        .updateTable("notification_settings")
        .set({ level: null, muted_until: Date.now() - 1 })
        .where("target_id", "in", many.slice(0, 2))
        .execute(),
    );
    expect((await onServer(bob, { level: "all" })).status).toBe(204);
    expect((await onChannel(bob, home.general.id, { level: "all" })).status).toBe(204);
    const { read } = house().running.house.database;
    expect(await read.selectFrom("notification_settings").select("target_id").execute()).toHaveLength(
      limits.notification_settings_max,
    );
  });
});

onEachEngine(
  "changing without end what one wants to be told",
  (house) => {
    const stage = homeForEach(house);
    test("is refused after as many changes as one may have settings; what changes nothing is not", async () => {
      const { bob, home } = stage;
      const path = `/servers/${home.id}/notification-settings`;
      const ear = await bob.listen();
      const begun = performance.now();
      let spent = 0;
      const spendAll = async () => {
        for (; ; spent++) await takeTurn(house().running.house, bob.id);
      };
      const change = async (setting: object) => {
        await spendAll().catch(() => {});
        return bob.put(path, setting);
      };
      const levels = [{ level: "all" }, { level: "none" }];
      let changes = 0;
      let answer = await change({ level: "all" });
      // Where a second has passed, another call was refilled.
      while (answer.status === 204) answer = await change(levels[++changes % 2] ?? {});
      expect(verdict(answer)).toBe("429 rate_limited");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      const most = limits.notification_settings_max;
      expect(spent + changes).toBeWithin(most, most + (performance.now() - begun) / 1000 + 1);
      const kept = changes === 0 ? {} : levels[(changes - 1) % 2];
      expect((await bob.put(path, kept)).status).toBe(204);
      await ear.settle();
      expect(ear.heard("NOTIFICATION_SETTINGS_UPDATE")).toHaveLength(changes);
    });
  },
  { RATE_LIMITS: "on" },
);
