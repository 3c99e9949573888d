// Attachments of messages: as stored with the message, merged with what was found out about pictures since.
import type { UnitOfWork } from "../../server/house/unit.ts";
import { foundSince, isGif, type Use } from "../files/access.ts";
import type { Attachment } from "../files/contract.ts";
import type { MessagesTable } from "./store.ts";

/** Fields that are missing from messages stored before pictures were inspected. */
const unknown = { width: null, height: null, preview_url: null };

/** Messages stored before animation was detected lack this field. */
const animatedBefore = ({ content_type }: Attachment) => ({ animated: isGif(content_type) });

/** Returns the attachments of these messages by message id; messages without any have no entry. */
export async function attachmentsOf(
  unit: UnitOfWork,
  rows: readonly MessagesTable[],
): Promise<ReadonlyMap<string, Attachment[]>> {
  const stored = new Map<string, Attachment[]>();
  for (const row of rows) if (row.attachments !== "[]") stored.set(row.id, attachmentsIn(row));
  if (stored.size === 0) return stored;
  const found = await foundSince(unit, [...stored.values()].flat());
  if (found.size === 0) return stored;
  return new Map(
    [...stored].map(([id, attachments]) => [id, attachments.map((each) => found.get(each.url) ?? each)]),
  );
}

/** Returns the attachments as they were stored with the message. */
export function attachmentsIn({ attachments }: Pick<MessagesTable, "attachments">): Attachment[] {
  if (attachments === "[]") return [];
  return (JSON.parse(attachments) as Attachment[]).map((each) => ({
    ...unknown,
    ...animatedBefore(each),
    ...each,
  }));
}

/** Returns the files of these messages; a file that is attached twice to one message counts once. */
export function usesOf(messages: readonly Pick<MessagesTable, "id" | "attachments">[]): Use[] {
  return messages.flatMap((message) => {
    const urls = new Set(attachmentsIn(message).map(({ url }) => url));
    return [...urls].map((url) => ({ url, messageId: message.id }));
  });
}
