// A bot's identity: the account and username made from its name, and its token.
import { randomBytes } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";
import type { Caller, TokenScheme } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { onceKnown, type Soon } from "../../server/house/known.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { newId, tokenHash } from "../../server/tokens.ts";
import { addBot, selectUser } from "../accounts/access.ts";
import { type BotsTable, selectBotByHash, updateBotRow } from "./store.ts";

const botsRemembered = 10_000;

/** Returns the bot with this token; null when the token is invalid. */
export function authenticate(
  house: House,
  scheme: TokenScheme,
  token: string,
  lookingUp: () => Soon<void>,
): Soon<Caller | null> | undefined {
  if ((scheme !== "Bot" && scheme !== "AUTH") || !token.startsWith("hb_")) return undefined;
  const hash = tokenHash(token);
  const cache = house.cache<Caller | null>("bots", botsRemembered);
  // Sockets are closed by the token's id. The cached id may have ended without this process knowing it yet, so it is
  // read again.
  if (scheme === "AUTH") cache.drop(hash);
  const known = cache.get(hash, async () => {
    await lookingUp();
    const row = await selectBotByHash(house.database.read, hash);
    const user = row && (await selectUser(house.database.read, row.id));
    // While the operator has disabled a bot, none of its tokens is valid, not even one that its owner makes now.
    return row && user?.disabled_at === null
      ? { userId: row.id, isBot: true, sessionId: row.token_id, ownerId: row.owner_id }
      : null;
  });
  return onceKnown(known, (caller) => {
    // An invalid token is not cached: it would push valid ones out of the cache.
    if (caller === null) cache.drop(hash);
    return caller;
  });
}

/** Invalidates the bot's current token and closes its sockets, after the commit. */
export function endToken(unit: UnitOfWork, row: BotsTable): void {
  unit.drop("bots", row.token_hash);
  unit.items.push({ kind: "sessions-ended", userId: row.id, sessionIds: [row.token_id] });
}

/**
 * Suspends a token and gives it another id: a process that learns of this late then closes no socket that has signed in
 * since.
 */
export async function suspendToken(unit: UnitOfWork, row: BotsTable): Promise<void> {
  await updateBotRow(unit.db, row.id, { token_id: newId() });
  endToken(unit, row);
}

/** Returns the stored columns of a token. */
export function keysOf(token: string): Pick<BotsTable, "token_hash" | "token_id"> {
  return { token_hash: tokenHash(token), token_id: newId() };
}

/** Attempts with a new random suffix when a username is taken. */
const mostDraws = 5;

export async function makeAccount(unit: UnitOfWork, ownerId: string, displayName: string): Promise<string> {
  const id = newId();
  for (let draw = 0; draw < mostDraws; draw++) {
    const username = usernameFrom(displayName);
    if (await addBot(unit, { id, username, displayName, ownerId })) return id;
  }
  throw new Refusal("conflict", "No free username was found for that name. Try again, or another name.");
}

const suffixBytes = 3;
const stemMax = 25;

/** Returns a username derived from the bot's name, with a random suffix that makes it rare. */
function usernameFrom(name: string): string {
  const stem = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "_")
    .replace(/^_+|(?<!_)_+$/g, "")
    .slice(0, stemMax);
  return `${stem || "bot"}-${randomBytes(suffixBytes).toString("hex")}`;
}
