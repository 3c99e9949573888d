// Calls that ring: for whom, how they end, and what a reader of the conversation sees of them.
import { timeText } from "../../protocol/clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { RingingCall } from "../../protocol/voice.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import {
  directHome,
  everybody,
  type Home,
  idOf,
  isOfPerson,
  type Place,
  personStream,
} from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { blockersAmong } from "../blocks/access.ts";
import {
  type ConversationFacts,
  conversationFound,
  conversationShown,
  findChannel,
} from "../channels/access.ts";
import { queueNotices } from "../push/access.ts";
import { need } from "../servers/access.ts";
import { neededMedia, selectRoom } from "../voice/access.ts";
import { callEnded, callRings, type RingingEnded } from "./contract.ts";
import {
  deleteRings,
  insertRings,
  type RingsTable,
  selectOutside,
  selectRings,
  updateRing,
} from "./store.ts";

const ringForMs = 30_000;
/** A time further in the future was written by a clock that was ahead, in milliseconds. */
const furthestMs = 10 * ringForMs;

/** Returns the conversation. Throws 404, 409 for the channel of a server, 403, and 503 without a media service. */
export async function findConversationToCall(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
): Promise<ConversationFacts> {
  const found = await findChannel(unit, userId, channelId);
  if (!found.conversation)
    throw new Refusal("conflict", "Calls are for conversations. In a server, people meet in voice channels.");
  need(found.standing, "CONNECT_VOICE");
  neededMedia(unit.house);
  return found.conversation;
}

/** Rings for everybody else who is not in the room, unless a call rings there already. */
export async function ring(
  unit: UnitOfWork,
  conversation: ConversationFacts,
  callerId: string,
): Promise<void> {
  const { channel, userIds } = conversation;
  const before = await selectRings(unit.db, [channel.id]);
  if (before.some((each) => isWaiting(each, Date.now()))) return;
  if (before.length > 0) await conclude(unit, before, "missed");
  const inside = (await selectRoom(unit.db, channel.id)).map(({ user_id }) => user_id);
  const called = userIds.filter((id) => id !== callerId && !inside.includes(id));
  if (called.length === 0) return;
  const blockers = await blockersAmong(unit.db, callerId, called);
  const until = Date.now() + ringForMs;
  const call = { channel_id: channel.id, caller_id: callerId, call_id: newId(), until };
  const rings = called.map((user_id): RingsTable => {
    return { ...call, user_id, state: blockers.has(user_id) ? "unheard" : "ringing" };
  });
  await insertRings(unit.db, rings);
  const rung = rungAmong(rings);
  // A device has to know the conversation that rings.
  const hiddenFrom = conversation.hiddenFrom.filter((id) => id === callerId || rung.includes(id));
  await unit.ask(conversationShown, { ...conversation, hiddenFrom });
  const told = { channel_id: channel.id, user_id: callerId, until: timeText(until) };
  unit.tell(callRings, devicesOf(channel.id, rung), told);
  await queueNotices(unit, call.call_id, rung);
}

/**
 * Ends what rings for a person in a conversation, and the call once it rings for nobody. A person who left (`ended`) is
 * not told: the end of the channel is the last that they hear of it.
 */
export async function settle(
  unit: UnitOfWork,
  channelId: string,
  userId: string,
  reason: "answered" | "declined" | "ended",
): Promise<void> {
  const rings = await selectRings(unit.db, [channelId]);
  const own = rings.find(({ user_id, state }) => user_id === userId && isOpen(state));
  if (!own) return;
  if (own.state === "ringing" && reason !== "ended") tellEnd(unit, channelId, [userId], reason);
  const after = rings.map((each) => (each === own ? { ...own, state: reason } : each));
  if (after.some(({ state }) => isOpen(state))) await updateRing(unit.db, own, reason);
  else await conclude(unit, after, reason);
}

/** Ends a call for the people whom it still rings for, and for its caller; null: the caller has left. */
async function conclude(
  unit: UnitOfWork,
  rings: readonly RingsTable[],
  reason: RingingEnded["reason"],
  forCaller: RingingEnded["reason"] | null = rings.some(({ state }) => state === "answered")
    ? "answered"
    : reason,
): Promise<void> {
  const [call] = rings;
  if (!call) return;
  await deleteRings(unit.db, call.channel_id);
  tellEnd(unit, call.channel_id, rungAmong(rings), reason);
  if (forCaller) tellEnd(unit, call.channel_id, [call.caller_id], forCaller);
}

/** Declines a call for a person, or ends one of their own for all. */
export async function hangUp(unit: UnitOfWork, channelId: string, userId: string): Promise<void> {
  const rings = await selectRings(unit.db, [channelId]);
  if (rings[0]?.caller_id === userId) await conclude(unit, rings, "ended", "ended");
  else await settle(unit, channelId, userId, "declined");
}

/** Ends what rings for a person who is not in the conversation any more, or the call if it is theirs. */
export async function endForLeaver(unit: UnitOfWork, userId: string, channelId: string): Promise<void> {
  const rings = await selectRings(unit.db, [channelId]);
  if (rings[0]?.caller_id === userId) await conclude(unit, rings, "ended", null);
  else await settle(unit, channelId, userId, "ended");
}

/** Ends a call of two people once one of them blocks the other. */
export async function endWhenBlocked(unit: UnitOfWork, home: Home): Promise<void> {
  if (isOfPerson(home)) return;
  // A block alone does not hold the conversation, in which somebody may be about to ring.
  await unit.lock(home);
  const rings = await selectRings(unit.db, [idOf(home)]);
  const [conversation] = rings.length > 0 ? await unit.ask(conversationFound, idOf(home)) : [];
  if (conversation?.blockers.length) await conclude(unit, rings, "ended");
}

/** The recurring job: ends the calls that rang long enough. Any process does it, whichever began the call. */
export async function endMissed(house: House): Promise<boolean> {
  const now = Date.now();
  for (const channelId of await selectOutside(house.database.read, now, now + furthestMs))
    await house.write(async (unit) => {
      await unit.lock(directHome(channelId));
      const rings = await selectRings(unit.db, [channelId]);
      if (!rings.some((each) => isWaiting(each, now))) await conclude(unit, rings, "missed");
    });
  return false;
}

/** Returns by conversation the call that rings for the reader, or that is the reader's own. */
export async function callsFor(
  { db, house }: UnitOfWork,
  userId: string,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, { call: RingingCall }>> {
  // Rows may be left from a media service that is no longer set up.
  if (!house.config.livekit) return new Map();
  const now = Date.now();
  const shown = (await selectRings(db, channelIds)).filter(
    (each) =>
      isWaiting(each, now) &&
      (each.caller_id === userId || (each.user_id === userId && each.state === "ringing")),
  );
  return new Map(
    shown.map(({ channel_id, caller_id, until }) => [
      channel_id,
      { call: { user_id: caller_id, until: timeText(until) } },
    ]),
  );
}

/** True while the person has neither answered nor declined. */
function isOpen(state: RingsTable["state"]): boolean {
  return state === "ringing" || state === "unheard";
}

export function isWaiting({ state, until }: RingsTable, now: number): boolean {
  return isOpen(state) && until > now && until <= now + furthestMs;
}

function rungAmong(rings: readonly RingsTable[]): string[] {
  return rings.flatMap(({ user_id, state }) => (state === "ringing" ? user_id : []));
}

function tellEnd(
  unit: UnitOfWork,
  channel_id: string,
  userIds: readonly string[],
  reason: RingingEnded["reason"],
): void {
  unit.tell(callEnded, devicesOf(channel_id, userIds), { channel_id, reason });
}

function devicesOf(channelId: string, userIds: readonly string[]): Place {
  return { home: directHome(channelId), streams: userIds.map(personStream), audience: everybody };
}
