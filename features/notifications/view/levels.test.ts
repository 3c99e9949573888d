// What is told of a channel: its own level, else that of its server, and nothing of what is muted.
import { expect, test } from "bun:test";
import { nothingSet } from "../state.ts";
import { endOf, isMuted, levelIn, ofChannel, untilUnmuted } from "./levels.ts";

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
});
