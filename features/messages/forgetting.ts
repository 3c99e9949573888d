// Removes the texts of deleted messages, and those replaced by an edit, from the log.
import { timeText } from "../../protocol/clock.ts";
import type { Db } from "../../server/database/database.ts";
import type { Job } from "../../server/house/feature.ts";
import { type Correction, type WalkedEvent, walkLog } from "../../server/house/log-walk.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectChannelsById } from "../channels/access.ts";
import { endLoggedUses } from "../files/access.ts";
import { mentionsOf } from "./access.ts";
import type { SharedMessage } from "./contract.ts";
import { messageCreated, messageUpdated } from "./events.ts";
import { selectWords, type Words } from "./store.ts";

/** The pass compares events with the messages of today, not with their age, so a wrong clock does no harm. */
export const forgetWords: Job = {
  name: "forget the words of deleted messages",
  everyMs: 10_000,
  run: (house) =>
    walkLog(house, {
      types: [messageCreated.type, messageUpdated.type],
      judge: correctionsOf,
      erased: releaseFilesOf,
    }),
};

async function correctionsOf(db: Db, events: readonly WalkedEvent[]): Promise<Correction[]> {
  const ids = events.map(messageIdIn);
  const words = await wordsNow(db, [...new Set(ids)]);
  return events.flatMap(({ stream, seq, frame }, i) => {
    const now = words.get(ids[i] ?? "");
    const corrected = now ? withWords(frame, now) : null;
    return corrected === frame ? [] : [{ stream, seq, frame: corrected }];
  });
}

/** The data of these events begins with the id of the message; no text of a user comes before it. */
const messageId = /"data":\{"id":"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/;

function messageIdIn({ frame }: WalkedEvent): string {
  const id = messageId.exec(frame)?.[1];
  if (id === undefined) throw new Error("an event about a message names none");
  return id;
}

/** Returns the current texts by message id. Those of a deleted channel count as deleted: they wait for their sweep. */
async function wordsNow(db: Db, ids: readonly string[]): Promise<Map<string, Words>> {
  if (ids.length === 0) return new Map();
  const words = await selectWords(db, ids);
  const channels = await selectChannelsById(db, [...new Set(words.map(({ channel_id }) => channel_id))]);
  const there = new Set(channels.map(({ id }) => id));
  return new Map(words.flatMap((each) => (there.has(each.channel_id) ? [[each.id, each]] : [])));
}

function withWords(frame: string, now: Words): string {
  if (now.edited_at === null) return frame;
  const parsed = dataIn(frame);
  const words = { content: now.content, mentions: mentionsOf(now), edited_at: timeText(now.edited_at) };
  return JSON.stringify({ ...parsed, data: { ...parsed.data, ...words } });
}

function dataIn(frame: string): { data: SharedMessage } {
  return JSON.parse(frame);
}

/** Only the log still knows the files of messages that an earlier release deleted. */
async function releaseFilesOf(unit: UnitOfWork, events: readonly WalkedEvent[]): Promise<void> {
  await endLoggedUses(
    unit,
    events.flatMap(({ frame }) => {
      const { id, attachments } = dataIn(frame).data;
      // The oldest rows of a log may be from before messages had files.
      return (attachments ?? []).map(({ url }) => ({ url, messageId: id }));
    }),
  );
}
