// At the moment of sending: the recipients of a mention, and the text of its notification.
import { messagePath } from "../../protocol/links.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { authorOf, selectUser } from "../accounts/access.ts";
import { doNotDisturbAmong } from "../availability/access.ts";
import { blockersAmong } from "../blocks/access.ts";
import { channelSeenBy, findChannel } from "../channels/access.ts";
import { type MessagesTable, writerOf } from "../messages/access.ts";
import { existingServer } from "../servers/access.ts";
import type { Pushed } from "./contract.ts";

/** The people among these who can see the channel now, do not block the author, and may be disturbed. */
export async function recipientsOf(
  unit: UnitOfWork,
  message: MessagesTable,
  userIds: readonly string[],
): Promise<Set<string>> {
  const author = message.author_id;
  const blockers = author === null ? new Set() : await blockersAmong(unit.db, author, userIds);
  const doNotDisturb = await doNotDisturbAmong(unit.db, userIds);
  const recipients = new Set<string>();
  for (const id of userIds) {
    if (id === author || blockers.has(id) || doNotDisturb.has(id)) continue;
    const user = await selectUser(unit.db, id);
    if (!user || user.presence === "dnd" || user.disabled_at !== null) continue;
    if (await channelSeenBy(unit, id, message.channel_id)) recipients.add(id);
  }
  return recipients;
}

/** As much as a screen shows of a notification; with the names it stays far below the 4 KB that push services take. */
const bodyLength = 300;
const titleLength = 150;

/** Throws not_found when the channel is gone. `reader` is one of the recipients. */
export async function noticeOf(unit: UnitOfWork, message: MessagesTable, reader: string): Promise<Pushed> {
  const { channel } = await findChannel(unit, reader, message.channel_id);
  const server = await existingServer(unit, message.server_id);
  const author = await writerOf(unit, message);
  const { id: message_id, channel_id, server_id } = message;
  const place = { server_id, channel_id, message_id };
  return {
    type: "mention",
    ...place,
    title: cut(`${author.display_name} (#${channel.name}, ${server.name})`, titleLength),
    body: cut(await withNames(unit, message), bodyLength),
    url: unit.house.publicUrl + messagePath(place),
  };
}

/** Replaces `<@id>` by the name. */
async function withNames(unit: UnitOfWork, message: MessagesTable): Promise<string> {
  const mentioned: string[] = JSON.parse(message.mention_user_ids);
  let text = message.content;
  for (const id of mentioned) {
    if (!text.includes(`<@${id}>`)) continue;
    const { display_name } = await authorOf(unit, id);
    text = text.replaceAll(`<@${id}>`, () => `@${display_name}`);
  }
  return text;
}

/** At most so many code points; a cut text ends with an ellipsis. */
function cut(text: string, most: number): string {
  const points = Array.from(text.slice(0, 2 * most + 2));
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
}
