// A crowd that needs no passwords: members written straight into the embedded database, while no server runs.
import { Database } from "bun:sqlite";
import { createECDH, randomBytes } from "node:crypto";
import { join } from "node:path";

/** Makes `count` more people members of the server, each with a browser that wants pushes. Answers their ids. */
export function gatherCrowd(dataDir: string, serverId: string, count: number): string[] {
  const database = new Database(join(dataDir, "hearth.db"), { strict: true });
  const columns = (table: string) =>
    (database.query(`pragma table_info(${table})`).all() as { name: string }[]).map((each) => each.name);
  const users = columns("users");
  const model = database.query("select * from users limit 1").get() as Record<string, string | number | null>;
  const insertUser = database.prepare(
    `insert into users (${users.join(", ")}) values (${users.map(() => "?").join(", ")})`,
  );
  const insertMember = database.prepare(
    "insert into members (server_id, user_id, joined_at) values (?, ?, ?)",
  );
  const insertSubscription = database.prepare(
    "insert into push_subscriptions (id, user_id, endpoint, p256dh, auth, created_at, session_id) values (?, ?, ?, ?, ?, ?, ?)",
  );
  const browser = createECDH("prime256v1");
  const p256dh = browser.generateKeys("base64url");
  const session = database.query("select id from sessions limit 1").get() as { id: string };
  const now = Date.now();
  const ids = Array.from({ length: count }, () => Bun.randomUUIDv7());
  database.transaction(() => {
    ids.forEach((id, i) => {
      const name = `crowd${i}`;
      const own: Record<string, string | number | null> = {
        ...model,
        ...{ id, username: name, username_key: name, instance_role: "member" },
        ...{ email: `${name}@bench.invalid`, email_key: `${name}@bench.invalid` },
      };
      insertUser.run(...users.map((column) => own[column] ?? null));
      insertMember.run(serverId, id, now);
      const auth = randomBytes(16).toString("base64url");
      insertSubscription.run(
        Bun.randomUUIDv7(),
        id,
        `https://push.example/${name}`,
        p256dh,
        auth,
        now,
        session.id,
      );
    });
    database.prepare("update servers set member_count = member_count + ? where id = ?").run(count, serverId);
  })();
  database.close();
  return ids;
}
