// Read markers: operations, and those set by posting messages and by leaving.
import { invalidField } from "../../protocol/errors.ts";
import type { Audience } from "../../protocol/event.ts";
import { serverEntered } from "../../server/gateway/ready.ts";
import { sightGained } from "../../server/gateway/sight.ts";
import { type Caller, type Feature, handle, type ReadyEntry, when } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { standingsIn } from "../../server/house/standing.ts";
import { leave, sweepOf } from "../../server/house/sweeping.ts";
import { frameOf, type UnitOfWork } from "../../server/house/unit.ts";
import { idOf, personStream } from "../../server/place.ts";
import { lowestId } from "../../server/tokens.ts";
import { channelsOf, findChannel, lastMessages, selectChannelIds, sightOf } from "../channels/access.ts";
import { channelDeleted } from "../channels/contract.ts";
import { conversationsInReady } from "../direct/access.ts";
import { conversationHidden, seatLost } from "../direct/seats.ts";
import { memberRemoved } from "../members/contract.ts";
import { messagesGone } from "../messages/access.ts";
import { messageCreated, messageUpdated, type SharedMessage } from "../messages/contract.ts";
import { findMembership } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { notMoved, readStatesIn, readStatesOf, readThrough, unreadIn } from "./access.ts";
import * as contract from "./contract.ts";
import type { ReadSoFar } from "./counting.ts";
import { gathering } from "./gathering.ts";
import { appendMentions, deleteMentions, replaceMentions } from "./mentions.ts";
import { recallWritten } from "./recalling.ts";
import { deleteMarker, deleteMarkers, readStateMigrations } from "./store.ts";

const markersOfChannel = sweepOf(
  "read_markers",
  "channel_id",
  ["user_id", "channel_id"],
  ["channel_id", "user_id"],
);

export const readStates: Feature = {
  name: "read-states",
  migrations: readStateMigrations,
  events: [contract.readStateUpdated],
  operations: [
    handle(contract.markChannelRead, async ({ caller, params, body, unit }) => {
      const { channel } = await findChannel(unit, caller.userId, params.channelID);
      if (channel.type === "voice") throw invalidField("channelID", "is a voice channel, which nobody reads");
      const lastReadId = await upTo(unit, channel.id, body.message_id);
      if (lastReadId !== undefined) {
        note(unit, { userId: caller.userId, serverId: channel.server_id, channelId: channel.id, lastReadId });
      }
    }),

    handle(contract.markServerRead, async ({ caller, params, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.id);
      const channels = await channelsOf(unit, params.id, await sightOf(unit, standing));
      for (const read of await readThrough(unit, caller.userId, { id: params.id, channels }))
        note(unit, read);
    }),
  ],
  eventHandlers: [
    when(messageCreated, (unit, _place, message) => {
      appendMentions(unit, message);
      readByAuthor(unit, message);
      return undefined;
    }),
    when(messageUpdated, (unit, _place, message) => replaceMentions(unit, message)),
    when(channelDeleted, (unit, _place, { id }) => leave(unit, markersOfChannel, [id])),
    when(serverDeleted, async (unit, _place, { id }) =>
      leave(unit, markersOfChannel, await selectChannelIds(unit.db, id)),
    ),
    when(memberRemoved, async (unit, { home }, { user_id }) => {
      gathering(unit.house).forget({ userId: user_id, serverId: idOf(home) });
      await deleteMarkers(unit.db, user_id, idOf(home));
    }),
  ],
  answers: [
    whenAsked(messagesGone, (unit, channelId, messageIds) => deleteMentions(unit.db, channelId, messageIds)),
    whenAsked(conversationHidden, async (unit, userId, channelId) => {
      if (unit.caller?.isBot) return;
      const [newest] = await unit.ask(lastMessages, [channelId]);
      const lastReadId = newest?.get(channelId);
      if (lastReadId !== undefined) note(unit, { userId, serverId: null, channelId, lastReadId });
    }),
    whenAsked(seatLost, async (unit, userId, channelId) => {
      gathering(unit.house).forget({ userId, serverId: null, channelId });
      await deleteMarker(unit.db, userId, channelId);
    }),
    whenAsked(serverEntered, saidSinceJoining),
    whenAsked(sightGained, saidOutOfSight),
  ],
  sweeps: [markersOfChannel],
  readyShapes: contract.readyShapes,
  async readyBeside(unit, caller, entries) {
    if (caller.isBot) return { read_states: [] };
    // The lists are asked for once without servers, for what is outside of them.
    if (entries.length > 0) return { read_states: await readStatesIn(unit, caller.userId, entries) };
    const conversations = await conversationsInReady(unit, caller.userId);
    return { read_states: await readStatesOf(unit, caller.userId, conversations) };
  },
  opening: recallWritten,
  committed: { any: (house) => gathering(house).tell() },
  told: (house, data) => gathering(house).hear(data),
  close: (house) => gathering(house).close(),
};

/** A client takes a new server as read; reports what was said there since its person joined. */
async function saidSinceJoining(
  unit: UnitOfWork,
  caller: Caller,
  entry: ReadyEntry,
): Promise<() => string[]> {
  if (caller.isBot) return () => [];
  const states = await unreadIn(unit, caller.userId, entry);
  return () => framesFor(caller, notMoved(unit, caller.userId, states));
}

/** The same for channels that became visible. */
async function saidOutOfSight(
  unit: UnitOfWork,
  callers: readonly Caller[],
  serverId: string,
  gained: ReadonlySet<Audience>,
): Promise<string[][]> {
  const channels = await channelsOf(unit, serverId, gained);
  const standings = await standingsIn(
    unit,
    serverId,
    callers.map(({ userId }) => userId),
  );
  const frames: string[][] = [];
  for (const caller of callers) {
    const entry = { id: serverId, channels, role_ids: standings.get(caller.userId)?.roleIds ?? [] };
    frames.push(await saidSinceJoining(unit, caller, entry as unknown as ReadyEntry).then((make) => make()));
  }
  return frames;
}

function framesFor({ userId }: Caller, states: readonly contract.ReadState[]): string[] {
  return states.map((state) => frameOf(contract.readStateUpdated, personStream(userId), state));
}

function note(unit: UnitOfWork, read: ReadSoFar): void {
  gathering(unit.house).note({ ...read, isTold: true });
}

/** The author of a message has read everything before it; their devices infer that from the message. */
function readByAuthor({ house }: UnitOfWork, { id, author, channel_id, server_id }: SharedMessage): void {
  if (author.kind !== "user") return;
  const read = { userId: author.id, serverId: server_id, channelId: channel_id, lastReadId: id };
  gathering(house).note({ ...read, isTold: false });
}

/** Returns the target of a marker at this message, at most the last message. Undefined if there is nothing to read. */
async function upTo(
  unit: UnitOfWork,
  channelId: string,
  messageId: string | null,
): Promise<string | undefined> {
  if (messageId === null) return lowestId;
  const [newest] = await unit.ask(lastMessages, [channelId]);
  const last = newest?.get(channelId);
  return last !== undefined && messageId > last ? last : last && messageId;
}
