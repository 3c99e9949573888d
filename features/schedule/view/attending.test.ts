// The event as shown after the reader's answer.
import { expect, test } from "bun:test";
import type { ScheduledEvent } from "../contract.ts";
import { attended, isOver } from "./attending.ts";

const event: ScheduledEvent = {
  id: "e",
  server_id: "s",
  creator_id: "c",
  title: "Release party",
  description: "",
  starts_at: "2026-11-22T18:00:00.000Z",
  ends_at: null,
  channel_id: null,
  going_count: 2,
  maybe_count: 1,
  no_count: 0,
  my_rsvp: null,
};

test("one counts once, wherever one changes one's mind to", () => {
  const going = attended(event, "going");
  expect([going.going_count, going.maybe_count, going.no_count]).toEqual([3, 1, 0]);
  const no = attended(going, "no");
  expect([no.going_count, no.maybe_count, no.no_count]).toEqual([2, 1, 1]);
  expect(attended(no, "no")).toBe(no);
  expect(attended(no, null)).toEqual(event);
});

test("an event without an end is over a day after its start", () => {
  const start = Date.parse(event.starts_at);
  expect(isOver(event, start + 23 * 3600_000)).toBe(false);
  expect(isOver(event, start + 24 * 3600_000)).toBe(true);
  expect(isOver({ ...event, ends_at: "2026-11-22T19:00:00.000Z" }, start + 3600_000)).toBe(true);
});
