// Lists everybody who reacted to a message, read and serialized in pieces: there may be a hundred thousand.
import { pieceTurn, withoutBrackets } from "../../server/house/pieces.ts";
import { Json } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectEmoji, selectReactors } from "./store.ts";

const pieceLength = 1000;

/** Emoji in the order of their first reactions; under each the people in the order of theirs. */
export async function listReactors(unit: UnitOfWork, messageId: string): Promise<Json> {
  const parts: string[] = [];
  for (const emoji of await selectEmoji(unit.db, messageId)) {
    const { count, texts } = await reactorsWith(unit, messageId, emoji);
    // The last reaction with this emoji may have been removed meanwhile.
    if (count === 0) continue;
    parts.push(
      `${parts.length === 0 ? "" : ","}{"emoji":${JSON.stringify(emoji)},"count":${count},"user_ids":[`,
      texts.join(","),
      "]}",
    );
  }
  return new Json(new Blob(["[", ...parts, "]"]));
}

async function reactorsWith(
  unit: UnitOfWork,
  messageId: string,
  emoji: string,
): Promise<{ count: number; texts: string[] }> {
  // A person who removes and adds a reaction meanwhile comes up twice.
  const known = new Set<string>();
  const texts: string[] = [];
  for (let after: Awaited<ReturnType<typeof selectReactors>>[number] | undefined; ; await pieceTurn()) {
    const rows = await selectReactors(unit.db, messageId, emoji, after, pieceLength);
    const ids = rows.map((row) => row.user_id).filter((id) => !known.has(id));
    for (const id of ids) known.add(id);
    if (ids.length > 0) texts.push(withoutBrackets(ids));
    after = rows.at(-1);
    if (rows.length < pieceLength) return { count: known.size, texts };
  }
}
