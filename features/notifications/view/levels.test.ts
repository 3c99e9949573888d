// The effective level of a channel: its own, else its server's, and none while muted.
import { expect, test } from "bun:test";
import type { Copy } from "../../../client/copy.ts";
import { idOf, message, scene } from "../../../tests/client/scene.ts";
import { nothingSet } from "../state.ts";
import { endOf, isMuted, levelIn, ofChannel, ofServer, untilUnmuted } from "./levels.ts";
import { isTold } from "./sound.ts";

const place = { serverId: "s", channelId: "c" };
const now = Date.UTC(2026, 0, 5, 12);
const later = new Date(now + 1000).toISOString();
const server = (level: "all" | "mentions" | "none", muted_until: string | null = null) => ({
  servers: [{ server_id: "s", level, muted_until }],
  channels: [],
});

test("mentions by default; a channel's own level goes before that of its server", () => {
  expect(levelIn(nothingSet, place, now)).toBe("mentions");
  expect(levelIn(server("all"), place, now)).toBe("all");
  const channels = [{ channel_id: "c", level: "none" as const, muted_until: null }];
  expect(levelIn({ ...server("all"), channels }, place, now)).toBe("none");
});

test("a muted server mutes its channels, and a past time mutes nothing", () => {
  expect(levelIn(server("all", later), place, now)).toBe("none");
  expect(levelIn(server("all", later), place, now + 2000)).toBe("all");
  const channels = [{ channel_id: "c", level: null, muted_until: untilUnmuted }];
  const settings = { ...server("all"), channels };
  expect(levelIn(settings, place, now)).toBe("none");
  expect(isMuted(ofChannel(settings, "c"), now)).toBe(true);
});

test("until tomorrow is the next morning, also over the end of a month", () => {
  const evening = new Date(2026, 0, 31, 23, 30);
  expect(new Date(endOf("tomorrow", evening))).toEqual(new Date(2026, 1, 1, 8));
  expect(endOf("hour", evening)).toBe(new Date(2026, 1, 1, 0, 30).toISOString());
  expect(endOf("quarter", evening)).toBe(new Date(2026, 0, 31, 23, 45).toISOString());
  expect(endOf("day", evening)).toBe(new Date(2026, 1, 1, 23, 30).toISOString());
  expect(endOf("workday", evening)).toBe(new Date(2026, 1, 1, 7, 30).toISOString());
  expect(endOf("always", evening)).toBe(untilUnmuted);
  expect(ofServer(server("all", later), "another")).toEqual({ level: "mentions", mutedUntil: null });
});

test("a sound tells of what one wants to be told: of calls by name, by a role one holds, and of everybody", () => {
  const nobody = { user_ids: [], role_ids: [], everyone: false };
  const copy = scene();
  const tells = (more: Parameters<typeof message>[3], by = "carol", change: Partial<Copy> = {}) =>
    isTold({ ...copy, ...change }, message("told", by, "general", more), now);
  const called = { mentions: { ...nobody, user_ids: [idOf("bob")] } };
  expect([tells({}), tells(called)]).toEqual([false, true]);
  expect(tells({ mentions: { ...nobody, everyone: true } })).toBe(true);
  const byRole = (name: string) => tells({ mentions: { ...nobody, role_ids: [idOf(name)] } });
  expect([byRole("moderators"), byRole("of others")]).toEqual([true, false]);
  expect([tells(called, "bob"), tells(called, "carol", { blocked: [idOf("carol")] })]).toEqual([
    false,
    false,
  ]);
  expect(tells({ ...called, channel_id: idOf("out of sight") })).toBe(false);
  const at = (level: "all" | "none") => ({
    notificationSettings: { servers: [{ server_id: idOf("home"), level, muted_until: null }], channels: [] },
  });
  expect([tells({}, "carol", at("all")), tells(called, "carol", at("none"))]).toEqual([true, false]);
});
