// Notification settings: storing them, reading them, and events about each change to a person's devices.
import { expect, setSystemTime, test } from "bun:test";
import { allPermissions, permission } from "../../protocol/permissions.ts";
import { personStream } from "../../server/place.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId } from "../../tests/house/people/people.ts";
import {
  inReady,
  nothingShown as nothing,
  settingsForEach,
  shown,
  untilUnmuted,
} from "../../tests/house/scenes/notification-settings.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { NotificationSettings } from "./contract.ts";

const hour = 3600_000;
const inAnHour = () => new Date(Date.now() + hour).toISOString();

onEachEngine("notification settings", (house) => {
  const { stage, onServer, onChannel, open, setEveryone } = settingsForEach(house);

  test("nobody has any at first; what is set is shown, and READY has the same", async () => {
    const { bob, home } = stage;
    expect(await shown(bob)).toEqual(nothing);
    expect(inReady(await bob.listen())).toEqual(nothing);
    const muted_until = inAnHour();
    expect((await onServer(bob, { level: "all", muted_until })).status).toBe(204);
    expect((await onChannel(bob, home.general.id, { level: "none" })).status).toBe(204);
    const settings: NotificationSettings = {
      servers: [{ server_id: home.id, level: "all", muted_until }],
      channels: [{ channel_id: home.general.id, level: "none", muted_until: null }],
    };
    expect(await shown(bob)).toEqual(settings);
    expect(inReady(await bob.listen())).toEqual(settings);
  });

  test("PUT replaces: what is left out is the default, and what is as by default is not shown", async () => {
    const { bob, home } = stage;
    const { id } = home.general;
    await onServer(bob, { level: "none", muted_until: untilUnmuted });
    await onServer(bob, { muted_until: untilUnmuted });
    expect((await shown(bob)).servers).toEqual([
      { server_id: home.id, level: "mentions", muted_until: untilUnmuted },
    ]);
    await onServer(bob, {});
    await onChannel(bob, id, { level: "all", muted_until: untilUnmuted });
    await onChannel(bob, id, { level: null, muted_until: untilUnmuted });
    expect(await shown(bob)).toEqual({
      servers: [],
      channels: [{ channel_id: id, level: null, muted_until: untilUnmuted }],
    });
    // A level of the channel's own that equals the server's.
    await onChannel(bob, id, { level: "mentions", muted_until: null });
    expect((await shown(bob)).channels).toEqual([{ channel_id: id, level: "mentions", muted_until: null }]);
    await onChannel(bob, id, {});
    await onServer(bob, { level: "mentions", muted_until: null });
    expect(await shown(bob)).toEqual(nothing);
  });

  test("a past time counts as null, as does one that passes; times come back in UTC", async () => {
    const { bob, home } = stage;
    const { id } = home.general;
    for (const past of ["2020-01-01T00:00:00.000Z", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59+01:00"]) {
      expect((await onServer(bob, { muted_until: past })).status).toBe(204);
      await onChannel(bob, id, { level: "all", muted_until: past });
      expect(await shown(bob)).toEqual({
        servers: [],
        channels: [{ channel_id: id, level: "all", muted_until: null }],
      });
    }
    await onServer(bob, { muted_until: "2999-01-01T01:00:00+01:00" });
    expect((await shown(bob)).servers[0]?.muted_until).toBe("2999-01-01T00:00:00.000Z");
    await onServer(bob, { muted_until: inAnHour() });
    await onChannel(bob, id, { level: "all", muted_until: inAnHour() });
    try {
      setSystemTime(Date.now() + 2 * hour);
      expect(await shown(bob)).toEqual({
        servers: [],
        channels: [{ channel_id: id, level: "all", muted_until: null }],
      });
      // Expired rows are deleted with the next change; a change to the same value is none.
      await onServer(bob, {});
      await onChannel(bob, id, { level: "none" });
    } finally {
      setSystemTime();
    }
    const { read } = house().running.house.database;
    const rows = await read.selectFrom("notification_settings").select("target_id").execute();
    expect(rows).toEqual([{ target_id: id }]);
  });

  test("what is no level, no time or null for a server is 400, says what is wrong, and changes nothing", async () => {
    const { bob, home } = stage;
    const ear = await bob.listen();
    await onServer(bob, { level: "none" });
    await ear.next("NOTIFICATION_SETTINGS_UPDATE");
    const before = await shown(bob);
    const wrong: [path: string, body: Record<string, unknown>][] = [
      ...["everything", "", 1, true, ["all"], {}].map((level) => ["level", { level }] as [string, object]),
      ...["soon", "", "2030-02-30T00:00:00Z", "2030-01-01", "10000-01-01T00:00:00Z", 5, true, {}].map(
        (muted_until) => ["muted_until", { muted_until }] as [string, object],
      ),
      ["muted_until", { muted_until: "9999-12-31T23:59:59.999-01:00" }],
    ] as never;
    for (const [path, body] of wrong) {
      for (const put of [
        onServer(bob, { level: "all", ...body }),
        onChannel(bob, home.general.id, { level: "all", ...body }),
      ]) {
        const answer = await put;
        expect([body, verdict(answer)]).toEqual([body, "400 invalid_request"]);
        expect(String(answer.body.fields?.[0]?.path)).toBe(path);
      }
    }
    expect(verdict(await onServer(bob, { level: null }))).toBe("400 invalid_request");
    expect(verdict(await onServer(bob, "{"))).toBe("400 malformed_json");
    await ear.settle();
    expect(ear.heard("NOTIFICATION_SETTINGS_UPDATE")).toHaveLength(1);
    expect(await shown(bob)).toEqual(before);
  });

  test("a server that one is not in and a channel that one does not see are 404; a voice channel takes settings", async () => {
    const { olga, bob, carol, home } = stage;
    const parlour = await open("parlour", "voice");
    expect((await onChannel(bob, parlour.id, { level: "none" })).status).toBe(204);
    expect((await shown(bob)).channels[0]?.channel_id).toBe(parlour.id);
    expect(verdict(await onServer(carol, { level: "all" }))).toBe("404 not_found");
    expect(verdict(await onChannel(carol, home.general.id, {}))).toBe("404 not_found");
    for (const id of [nobodysId, "nonsense"]) {
      expect(verdict(await olga.put(`/servers/${id}/notification-settings`, {}))).toBe("404 not_found");
      expect(verdict(await onChannel(olga, id, {}))).toBe("404 not_found");
    }
    await setEveryone(permission.SEND_MESSAGES);
    expect(verdict(await onChannel(bob, home.general.id, { level: "all" }))).toBe("404 not_found");
    expect((await onServer(bob, { level: "all" })).status).toBe(204);
    expect(await shown(carol)).toEqual(nothing);
  });

  test("each change is told once to all of one's devices, whole; what is so already to none, and nobody else hears", async () => {
    const { olga, bob, home } = stage;
    const [here, there, hers] = [await bob.listen(), await bob.listen(), await olga.listen()];
    const changes: [() => Promise<unknown>, NotificationSettings][] = [
      [() => onServer(bob, { level: "all" }), { ...nothing, servers: [set("all")] }],
      [
        () => onChannel(bob, home.general.id, { muted_until: untilUnmuted }),
        {
          servers: [set("all")],
          channels: [{ channel_id: home.general.id, level: null, muted_until: untilUnmuted }],
        },
      ],
      [() => onChannel(bob, home.general.id, {}), { ...nothing, servers: [set("all")] }],
    ];
    function set(level: "all") {
      return { server_id: home.id, level, muted_until: null };
    }
    for (const [change, settings] of changes) {
      await change();
      for (const ear of [here, there]) {
        const frame = await ear.next("NOTIFICATION_SETTINGS_UPDATE");
        expect([frame.data as unknown, frame.stream, frame.server_id]).toEqual([settings, "@me", undefined]);
        expect(frame.seq).toBeGreaterThan(0);
      }
      await change();
    }
    await onChannel(bob, home.general.id, { level: null, muted_until: "2001-01-01T00:00:00Z" });
    for (const ear of [here, there, hers]) await ear.settle();
    expect(here.heard("NOTIFICATION_SETTINGS_UPDATE")).toHaveLength(3);
    expect(hers.heard("NOTIFICATION_SETTINGS_UPDATE")).toHaveLength(0);
  });

  test("the log keeps the newest alone, and a resume that missed many gets that one", async () => {
    const { bob, home } = stage;
    const ear = await bob.listen();
    const ready = ear.ready as unknown as { personal: { seq: number } };
    const point = ear.resumePoint;
    ear.close();
    for (const level of ["all", "none", "all", "none"]) await onServer(bob, { level });
    const { read } = house().running.house.database;
    const rows = await read
      .selectFrom("events")
      .select("frame")
      .where("stream", "=", personStream(bob.id))
      .execute();
    const kept = rows.filter(({ frame }) => frame.includes("NOTIFICATION_SETTINGS_UPDATE"));
    expect(kept).toHaveLength(1);
    const back = await bob.listen({
      epoch: point.epoch,
      streams: { ...point.streams, "@me": ready.personal.seq },
    });
    const heard = back.heard("NOTIFICATION_SETTINGS_UPDATE").map(({ data }) => data as unknown);
    expect(heard).toEqual([
      { ...nothing, servers: [{ server_id: home.id, level: "none", muted_until: null }] },
    ]);
    expect(back.heard("RESUMED")).toHaveLength(1);
  });

  test("bots have none: READY has the empty object, and the operations are 403", async () => {
    const { olga, home } = stage;
    const bot = await TestBot.make(olga);
    await bot.enter(home.id);
    await olga.put(`/servers/${home.id}/members/${bot.id}/roles`, {
      role_ids: [
        (await olga.post(`/servers/${home.id}/roles`, { name: "all", permissions: allPermissions })).body.id,
      ],
    });
    expect(inReady(await bot.listen())).toEqual(nothing);
    for (const answer of [
      await bot.get("/notification-settings"),
      await bot.put(`/servers/${home.id}/notification-settings`, { level: "all" }),
      await bot.put(`/channels/${home.general.id}/notification-settings`, { level: "all" }),
      await bot.get("/auth/me/push-settings"),
      await bot.put("/auth/me/push-settings", { when: "always" }),
    ]) {
      expect(verdict(answer)).toBe("403 forbidden");
    }
  });

  test("of many calls of one person at once, in several servers, the last event says what there is then", async () => {
    const { bob } = stage;
    const servers = [];
    for (let i = 0; i < 12; i++) servers.push(await bob.makeServer(`Bob's ${i}`));
    const ear = await bob.listen();
    await Promise.all(
      servers.map(({ id }) =>
        insisted(() => bob.put(`/servers/${id}/notification-settings`, { level: "all" })),
      ),
    );
    await ear.untilAll(() => ear.heard("NOTIFICATION_SETTINGS_UPDATE").length === servers.length);
    const last = ear.heard("NOTIFICATION_SETTINGS_UPDATE").at(-1)?.data as unknown;
    const settings = await shown(bob);
    expect(settings.servers).toHaveLength(servers.length);
    expect(last).toEqual(settings);
  });

  // The last test: afterwards the server doubts its clock for a while.
  test("while the clock is doubted, what seems to be over is not deleted, and still counts as null", async () => {
    const { bob, home } = stage;
    const muted_until = inAnHour();
    await onServer(bob, { muted_until });
    try {
      setSystemTime(Date.now() + 10 * 24 * hour);
      await onChannel(bob, home.general.id, { level: "none" });
      expect((await shown(bob)).servers).toEqual([]);
    } finally {
      setSystemTime();
    }
    expect((await shown(bob)).servers).toEqual([{ server_id: home.id, level: "mentions", muted_until }]);
  });
});
