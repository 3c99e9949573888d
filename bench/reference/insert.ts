// Reference: the minimal cost of a durable post. POST, one insert, an answer after the group commit.
import { Database } from "bun:sqlite";
import { join } from "node:path";

const channelId = "0193c1d2-0000-7000-8000-000000000000";
const authorId = "0193c1d2-0000-7000-8000-000000000001";
/** The other fields of Hearth's response, so that both responses have about the same size. */
const rest = {
  server_id: "0193c1d2-0000-7000-8000-000000000002",
  author: { id: authorId, username: "ada", display_name: "Ada", avatar: null, kind: "user" },
  reply_to: null,
  mentions: { user_ids: [], role_ids: [], everyone: false },
  attachments: [],
  reactions: [],
  nonce: null,
  edited_at: null,
};

const database = new Database(join(process.env.DATA_DIR!, "reference.sqlite"));
database.run("PRAGMA journal_mode = WAL");
database.run("PRAGMA synchronous = FULL");
database.run(
  "CREATE TABLE messages (id TEXT PRIMARY KEY, channel_id TEXT, author_id TEXT, content TEXT, created_at TEXT)",
);
const insert = database.query("INSERT INTO messages VALUES (?, ?, ?, ?, ?)");
let waiting: { row: string[]; committed(): void }[] = [];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { content } = (await request.json()) as { content: string };
    const id = Bun.randomUUIDv7();
    const created_at = new Date().toISOString();
    const row = [id, channelId, authorId, content, created_at];
    await new Promise<void>((committed) => {
      if (waiting.push({ row, committed }) === 1) setImmediate(commit);
    });
    return Response.json({ id, channel_id: channelId, content, created_at, ...rest }, { status: 201 });
  },
});

/** Everything that arrived in one turn of the event loop shares one commit. */
function commit(): void {
  const batch = waiting;
  waiting = [];
  database.run("BEGIN");
  for (const { row } of batch) insert.run(...row);
  database.run("COMMIT");
  for (const { committed } of batch) committed();
}

console.log(`Reference is ready at ${server.url.origin}`);
