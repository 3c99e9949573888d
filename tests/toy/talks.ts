// A feature outside of servers: people talk, and each line goes to the stream of everybody in the talk.

import { z } from "zod";
import { notFound } from "../../protocol/errors.ts";
import { event, kind } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import { columnTypes } from "../../server/database/columns.ts";
import type { Db } from "../../server/database/database.ts";
import { type Caller, type Feature, handle } from "../../server/house/feature.ts";
import { openStream } from "../../server/house/streams.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { everybody, type Home, type Place, personStream } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";

interface TalkersTable {
  talk_id: string;
  user_id: string;
}

interface LinesTable {
  id: string;
  talk_id: string;
  user_id: string;
  text: string;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    toy_talkers: TalkersTable;
    toy_lines: LinesTable;
  }
}

/** The only talk, and the people who sign in with `key-` and their name: all but Eve are in it at first. */
export const talk = "01890000-0000-7000-8000-0000000000f0";
export const talkers: Record<string, string> = {
  ada: "01890000-0000-7000-8000-0000000000f1",
  ben: "01890000-0000-7000-8000-0000000000f2",
  cleo: "01890000-0000-7000-8000-0000000000f3",
  dan: "01890000-0000-7000-8000-0000000000f4",
  eve: "01890000-0000-7000-8000-0000000000f5",
};

const home: Home = `direct:${talk}`;
const line = z.object({ id, user_id: id, text: z.string() }).meta({ id: "ToyLine" });
const params = z.object({ talkID: id });

const sayLine = operation({
  name: "sayLine",
  method: "POST",
  path: "/talks/{talkID}/lines",
  summary: "Say something",
  caller: "account",
  lane: "shared",
  params,
  body: z.object({ text: z.string().max(100) }),
  answers: { 201: { description: "The line", body: line } },
});

const typeLine = operation({
  name: "typeLine",
  method: "POST",
  path: "/talks/{talkID}/typing",
  summary: "Show the others that a line is being typed",
  caller: "account",
  lane: "read",
  params,
  answers: { 204: { description: "They are told" } },
});

const joinTalk = operation({
  name: "joinTalk",
  method: "PUT",
  path: "/talks/{talkID}/people/{userID}",
  summary: "Bring a person into the talk",
  caller: "account",
  lane: "write",
  params: params.extend({ userID: id }),
  answers: { 204: { description: "They are in" } },
});

const leaveTalk = operation({
  name: "leaveTalk",
  method: "DELETE",
  path: "/talks/{talkID}/people/{userID}",
  summary: "Take a person out of the talk",
  caller: "account",
  lane: "write",
  params: params.extend({ userID: id }),
  answers: { 204: { description: "They are out" } },
});

const lineSaid = event(kind<z.infer<typeof line>>("LINE_SAY"), {
  summary: "Something was said",
  data: line,
  happensIn: "person",
  risingId: ({ id }) => id,
});
const talkJoined = event(kind<{ user_id: string }>("TALK_JOIN"), {
  summary: "A person came into the talk",
  data: z.object({ user_id: id }),
  happensIn: "person",
  forgets: () => ["people"],
});
const talkLeft = event(kind<{ user_id: string }>("TALK_LEAVE"), {
  summary: "A person left the talk",
  data: z.object({ user_id: id }),
  happensIn: "person",
  forgets: () => ["people"],
  revokes: true,
});
const typing = event(kind<{ user_id: string }>("LINE_TYPE"), {
  summary: "A person is typing",
  data: z.object({ user_id: id }),
  happensIn: "person",
  live: true,
});

/** Returns the place of the talk. Throws 404 unless the person is in it. */
async function findTalk(unit: UnitOfWork, userId: string, talkId: string): Promise<Place> {
  if (talkId !== talk) throw notFound();
  await unit.lock(home);
  const people = await unit.remember(home, "people", async (db) => {
    const rows = await db.selectFrom("toy_talkers").select("user_id").where("talk_id", "=", talkId).execute();
    return rows.map(({ user_id }) => user_id);
  });
  if (!people.includes(userId)) throw notFound();
  return { home, streams: people.map(personStream), audience: everybody };
}

const talks: Feature = {
  name: "talks",
  rights: { servers: async () => new Map(), members: async () => [], serversOf: async () => [] },
  events: [lineSaid, talkJoined, talkLeft, typing],
  migrations: (engine) => ({
    "9001_toy_talks": {
      async up(db) {
        const type = columnTypes(engine);
        await db.schema
          .createTable("toy_talkers")
          .addColumn("talk_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.primaryKey().notNull())
          .execute();
        await db.schema
          .createTable("toy_lines")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("talk_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("text", type.text, (c) => c.notNull())
          .execute();
        const { eve: _, ...first } = talkers;
        const rows = Object.values(first).map((user_id) => ({ talk_id: talk, user_id }));
        await (db as Db).insertInto("toy_talkers").values(rows).execute();
        await openStream(db as Db, home);
      },
    },
  }),
  authenticate: (_house, scheme, token) => (scheme === "Cookie" ? undefined : holderOf(token)),
  operations: [
    handle(sayLine, async ({ caller, params, body, unit }) => {
      const place = await findTalk(unit, caller.userId, params.talkID);
      const row = { id: newId(), talk_id: params.talkID, user_id: caller.userId, text: body.text };
      unit.append("toy_lines", row);
      const { talk_id: _, ...said } = row;
      return unit.emit(lineSaid, place, said);
    }),
    handle(typeLine, async ({ caller, params, unit }) => {
      const place = await findTalk(unit, caller.userId, params.talkID);
      unit.tell(typing, place, { user_id: caller.userId }, caller.userId);
    }),
    handle(joinTalk, async ({ caller, params, unit }) => {
      const place = await findTalk(unit, caller.userId, params.talkID);
      const { talkID: talk_id, userID: user_id } = params;
      await unit.db.insertInto("toy_talkers").values({ talk_id, user_id }).execute();
      const streams = [...place.streams, personStream(user_id)];
      unit.emit(talkJoined, { ...place, streams }, { user_id });
    }),
    handle(leaveTalk, async ({ caller, params, unit }) => {
      const place = await findTalk(unit, caller.userId, params.talkID);
      await unit.db.deleteFrom("toy_talkers").where("user_id", "=", params.userID).execute();
      unit.emit(talkLeft, place, { user_id: params.userID });
    }),
  ],
  readyShapes: { whole: z.object({ user: z.object({ id }) }) },
  readyOfCaller: async (_unit, { userId }) => ({ user: { id: userId } }),
};

export const talkFeatures: readonly Feature[] = [talks];

function holderOf(token: string): Caller | null | undefined {
  if (!token.startsWith("key-")) return undefined;
  const userId = talkers[token.slice("key-".length)];
  return userId === undefined ? null : { userId, sessionId: userId, isBot: false };
}
