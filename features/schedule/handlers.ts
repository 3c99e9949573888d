// Operations on scheduled events.

import { notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { renamed } from "../../protocol/renamed.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import { leave, sweepOf } from "../../server/house/sweeping.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idOf } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { channelDeleted } from "../channels/contract.ts";
import { memberRemoved } from "../members/contract.ts";
import { findMembership } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import {
  checkChannel,
  checkTimes,
  findEvent,
  needRoom,
  needSay,
  oldestShown,
  overAt,
  toEvents,
} from "./access.ts";
import * as contract from "./contract.ts";
import { deleteRsvps, upsertRsvp } from "./rsvps.ts";
import {
  deleteEvent,
  deleteEventsOf,
  deleteOver,
  insertEvent,
  leaveChannel,
  type ScheduledEventsTable,
  scheduleMigrations,
  selectLive,
  selectOver,
  updateEvent,
} from "./store.ts";

/** As many past events are kept as a server may have live ones. */
const overShown = limits.events_live_max;

/** Events serialized at once: their texts together can be long. */
const eventsAtOnce = 50;

const answersTo = sweepOf("rsvps", "event_id", ["event_id", "user_id"]);

export const schedule: Feature = {
  name: "schedule",
  migrations: scheduleMigrations,
  operations: [
    handle(contract.listEvents, async ({ caller, params, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.id);
      const now = Date.now();
      const live = await selectLive(unit.db, params.id, now);
      const over = await selectOver(unit.db, params.id, { since: oldestShown(now), now, limit: overShown });
      return inPieces([...live, ...over], (some) => toEvents(unit, standing, some), eventsAtOnce);
    }),

    handle(contract.createEvent, async ({ caller, params, body, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.id);
      const now = Date.now();
      const ends_at = body.ends_at ?? null;
      const row: ScheduledEventsTable = {
        id: newId(),
        server_id: params.id,
        creator_id: caller.userId,
        channel_id: body.channel_id ?? null,
        title: body.title,
        description: body.description ?? "",
        starts_at: body.starts_at,
        ends_at,
        over_at: overAt(body.starts_at, ends_at),
        created_at: now,
        going_count: 0,
        maybe_count: 0,
        no_count: 0,
      };
      checkTimes(row, now);
      if (row.channel_id !== null) await checkChannel(unit, standing, row.channel_id);
      await needRoom(unit, params.id, now);
      // Creating an event deletes the oldest past ones, so that a server never has more than it can show.
      if (unit.house.clock.mayDelete()) {
        await leave(unit, answersTo, await deleteOver(unit.db, params.id, now, overShown));
      }
      await insertEvent(unit.db, row);
      return asSeen(unit, standing, row);
    }),

    handle(contract.updateEvent, async ({ caller, params, body, unit }) => {
      const { event: before, standing } = await findEvent(unit, caller.userId, params.id);
      needSay(before, standing);
      const now = Date.now();
      const starts_at = body.starts_at ?? before.starts_at;
      const ends_at = body.ends_at === undefined ? before.ends_at : body.ends_at;
      const after: ScheduledEventsTable = {
        ...before,
        title: renamed("title", before.title, body.title, contract.title),
        description: body.description === undefined ? before.description : (body.description ?? ""),
        starts_at,
        ends_at,
        over_at: overAt(starts_at, ends_at),
        channel_id: body.channel_id === undefined ? before.channel_id : body.channel_id,
      };
      // The texts of a past event may still be edited; new times are checked.
      if (starts_at !== before.starts_at || ends_at !== before.ends_at) checkTimes(after, now);
      if (body.channel_id) await checkChannel(unit, standing, body.channel_id);
      if (before.over_at <= now && after.over_at > now) await needRoom(unit, before.server_id, now);
      const { title, description, over_at, channel_id } = after;
      await updateEvent(unit.db, before.id, {
        title,
        description,
        starts_at,
        ends_at,
        over_at,
        channel_id,
      });
      return asSeen(unit, standing, after);
    }),

    handle(contract.deleteEvent, async ({ caller, params, unit }) => {
      const { event, standing } = await findEvent(unit, caller.userId, params.id);
      needSay(event, standing);
      await deleteEvent(unit.db, event.id);
      await leave(unit, answersTo, [event.id]);
    }),

    handle(contract.setRsvp, async ({ caller, params, body, unit }) => {
      const { event } = await findEvent(unit, caller.userId, params.id);
      if (event.over_at <= Date.now()) throw new Refusal("conflict", "This event is over.");
      await upsertRsvp(unit.db, event.id, caller.userId, body.status);
    }),
  ],
  eventHandlers: [
    when(memberRemoved, (unit, { home }, { user_id }) => deleteRsvps(unit.db, idOf(home), user_id)),
    when(channelDeleted, (unit, { home }, { id }) => leaveChannel(unit.db, idOf(home), id)),
    when(serverDeleted, async (unit, _, { id }) => leave(unit, answersTo, await deleteEventsOf(unit.db, id))),
  ],
  sweeps: [answersTo],
};

async function asSeen(
  unit: UnitOfWork,
  standing: Standing,
  row: ScheduledEventsTable,
): Promise<contract.ScheduledEvent> {
  const [event] = await toEvents(unit, standing, [row]);
  if (!event) throw notFound();
  return event;
}
