// Crowds of members without passwords, written straight into the embedded database while no server runs.
import { createECDH, randomBytes } from "node:crypto";
import { newToken, tokenHash } from "../server/tokens.ts";
import { Filler } from "./filler.ts";

/** Adds `count` members to the server, each with a push subscription. Returns their ids. */
export function gatherCrowd(dataDir: string, serverId: string, count: number): string[] {
  using filler = new Filler(dataDir);
  const ids = filler.people("crowd", count);
  filler.join(serverId, ids);
  const p256dh = createECDH("prime256v1").generateKeys("base64url");
  const session_id = String(filler.row("sessions", {}).id);
  filler.copies(
    "push_subscriptions",
    { id: "", user_id: "", endpoint: "", p256dh, auth: "", created_at: Date.now(), session_id },
    ids.map((user_id, index) => ({
      id: Bun.randomUUIDv7(),
      user_id,
      endpoint: `https://push.example/crowd${index}`,
      auth: randomBytes(16).toString("base64url"),
    })),
  );
  return ids;
}

/** Adds `count` members to the server, each with a session. Returns the session tokens. */
export function gatherReaders(dataDir: string, serverId: string, count: number): string[] {
  using filler = new Filler(dataDir);
  const ids = filler.people("reader", count);
  filler.join(serverId, ids);
  const sessions = ids.map((user_id) => ({ id: Bun.randomUUIDv7(), user_id, token: newToken("hs_") }));
  filler.copies(
    "sessions",
    filler.row("sessions", {}),
    sessions.map(({ id, user_id, token }) => ({ id, user_id, token_hash: tokenHash(token) })),
  );
  return sessions.map(({ token }) => token);
}
