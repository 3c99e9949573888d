// Two features other than chat: notes on a board, and the stars that are drawn beside them.

import { z } from "zod";
import { notFound } from "../../protocol/errors.ts";
import { event, kind } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { defaultPermissions } from "../../protocol/permissions.ts";
import { id } from "../../protocol/shapes.ts";
import { columnTypes } from "../../server/database/columns.ts";
import type { Db } from "../../server/database/database.ts";
import { isListed } from "../../server/database/listed.ts";
import { type Caller, type Feature, handle } from "../../server/house/feature.ts";
import { question, whenAsked } from "../../server/house/question.ts";
import type { RightsSource } from "../../server/house/standing.ts";
import { standingOf } from "../../server/house/standing.ts";
import { openStream } from "../../server/house/streams.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { serverPlace, serverStream } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";

interface NotesTable {
  id: string;
  board_id: string;
  text: string;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    toy_notes: NotesTable;
  }
}

/** The only board, and the people who may read it: their key is `key-` and their name. */
export const board = "01890000-0000-7000-8000-0000000000b0";
export const readers: Record<string, string> = {
  ada: "01890000-0000-7000-8000-0000000000a1",
  ben: "01890000-0000-7000-8000-0000000000a2",
};
const stranger = "01890000-0000-7000-8000-0000000000a3";

const note = z.object({ id, text: z.string(), stars: z.int() }).meta({ id: "ToyNote" });
const params = z.object({ boardID: id });

const writeNote = operation({
  name: "writeNote",
  method: "POST",
  path: "/boards/{boardID}/notes",
  summary: "Write a note on a board",
  caller: "account",
  lane: "write",
  params,
  body: z.object({ text: z.string().max(100) }),
  answers: { 201: { description: "The note", body: note } },
});

const listNotes = operation({
  name: "listNotes",
  method: "GET",
  path: "/boards/{boardID}/notes",
  summary: "The notes of a board",
  caller: "account",
  lane: "read",
  params,
  answers: { 200: { description: "The notes, oldest first", body: z.array(note) } },
});

const noteWritten = event(kind<z.infer<typeof note>>("NOTE_WRITE"), {
  summary: "A note was written",
  data: note,
  happensIn: "server",
});

/** The number of stars beside each note, by note id. */
const starsBeside = question<[texts: ReadonlyMap<string, string>], ReadonlyMap<string, number>>(
  "notes.starsBeside",
);

const rights: RightsSource = {
  async servers(_unit, ids) {
    const everyone = { id: newId(), permissions: defaultPermissions, position: 0, isDefault: true };
    const known = ids.filter((id) => id === board);
    return new Map(known.map((id) => [id, { ownerId: readers.ada ?? "", roles: [everyone] }]));
  },
  async members(_unit, ids, userIds) {
    const known = userIds.filter((userId) => isReader(userId) && ids.includes(board));
    return known.map((userId) => ({ serverId: board, userId, roleIds: [] }));
  },
  serversOf: async (_unit, userId) => (isReader(userId) ? [board] : []),
};

const notes: Feature = {
  name: "notes",
  rights,
  events: [noteWritten],
  migrations: (engine) => ({
    "9000_toy_notes": {
      async up(db) {
        const type = columnTypes(engine);
        await db.schema
          .createTable("toy_notes")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("board_id", type.uuid, (c) => c.notNull())
          .addColumn("text", type.text, (c) => c.notNull())
          .execute();
        await openStream(db as Db, serverStream(board));
      },
    },
  }),
  authenticate: (_house, scheme, token) => (scheme === "Cookie" ? undefined : holderOf(token)),
  operations: [
    handle(writeNote, async ({ caller, params, body, unit }) => {
      await findBoard(unit, caller, params.boardID);
      const row = { id: newId(), board_id: params.boardID, text: body.text };
      await unit.db.insertInto("toy_notes").values(row).execute();
      const [written] = await toNotes(unit, [row]);
      if (written) unit.emit(noteWritten, serverPlace(params.boardID), written);
      return written;
    }),
    handle(listNotes, async ({ caller, params, unit }) => {
      await findBoard(unit, caller, params.boardID);
      return notesOn(unit, [params.boardID]);
    }),
  ],
  readyShapes: {
    whole: z.object({ user: z.object({ id }) }),
    server: z.object({ notes: z.array(note) }),
  },
  readyOfCaller: async (_unit, { userId }) => ({ user: { id: userId } }),
  async ready(unit, _caller, boardIds) {
    const shown = await notesOn(unit, boardIds);
    return new Map(boardIds.map((id) => [id, { notes: shown }]));
  },
};

const stars: Feature = {
  name: "stars",
  operations: [],
  answers: [
    whenAsked(
      starsBeside,
      (_unit, texts) => new Map([...texts].map(([id, text]) => [id, text.split("*").length - 1])),
    ),
  ],
};

export const toyFeatures: readonly Feature[] = [notes, stars];
export const withoutStars: readonly Feature[] = [notes];

function isReader(userId: string): boolean {
  return Object.values(readers).includes(userId);
}

function holderOf(token: string): Caller | undefined {
  if (!token.startsWith("key-")) return undefined;
  return { userId: readers[token.slice(4)] ?? stranger, isBot: false, sessionId: token };
}

async function findBoard(unit: UnitOfWork, { userId }: Caller, boardId: string): Promise<void> {
  if (!(await standingOf(unit, boardId, userId))) throw notFound();
}

async function notesOn(unit: UnitOfWork, boardIds: readonly string[]) {
  const rows = await unit.db
    .selectFrom("toy_notes")
    .selectAll()
    .where(isListed(unit.db, "toy_notes.board_id", JSON.stringify(boardIds)))
    .orderBy("id")
    .execute();
  return toNotes(unit, rows);
}

async function toNotes(unit: UnitOfWork, rows: readonly NotesTable[]) {
  const [stars] = await unit.ask(starsBeside, new Map(rows.map(({ id, text }) => [id, text])));
  return rows.map(({ id, text }) => ({ id, text, stars: stars?.get(id) ?? 0 }));
}
