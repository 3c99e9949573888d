// Decides, at the time of sending, who gets a message, and the text of the notification.
import { messagePath } from "../../protocol/links.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { authorOf, selectUser } from "../accounts/access.ts";
import { doNotDisturbAmong } from "../availability/access.ts";
import { blockersAmong } from "../blocks/access.ts";
import { channelSeenBy, findChannel, type VisibleChannel } from "../channels/access.ts";
import { type MessagesTable, writerOf } from "../messages/access.ts";
import { alwaysPushed, levelsIn } from "../notifications/access.ts";
import { readersAmong } from "../read-states/access.ts";
import { existingServer } from "../servers/access.ts";
import type { Pushed } from "./contract.ts";

/**
 * Returns those of these people who get the message now, and as which type. `mentioned`: those whom it mentioned when
 * posted; a mention removed by an edit no longer counts, and one added by an edit causes no push.
 */
export async function recipientsOf(
  unit: UnitOfWork,
  message: MessagesTable,
  userIds: readonly string[],
  mentioned: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Pushed["type"]>> {
  const undisturbed = await undisturbedAmong(unit, message.author_id, userIds);
  const readers = await readersAmong(unit, message, userIds);
  const levels = await levelsIn(unit.db, message, userIds);
  const recipients = new Map<string, Pushed["type"]>();
  for (const id of userIds) {
    if (id === message.author_id || undisturbed.has(id) || readers.has(id)) continue;
    if (!(await isReachable(unit, id))) continue;
    const seen = await channelSeenBy(unit, id, message.channel_id);
    if (!seen) continue;
    const type = typeFor(message, mentioned.has(id) && mentions(message, id, seen.standing.roleIds));
    const level = levels.get(id);
    if (level === "all" || (level === "mentions" && type !== "message")) recipients.set(id, type);
  }
  return recipients;
}

/** Every message of a conversation is meant for the people in it. */
function typeFor({ server_id }: MessagesTable, isMention: boolean): Pushed["type"] {
  if (server_id === null) return "direct";
  return isMention ? "mention" : "message";
}

/** True unless the account is disabled, or its person does not want to be disturbed. */
export async function isReachable({ db }: UnitOfWork, userId: string): Promise<boolean> {
  const user = await selectUser(db, userId);
  return user !== undefined && user.presence !== "dnd" && user.disabled_at === null;
}

/**
 * Returns those of these people who get no push now that this author causes, whatever their level for the channel. A
 * webhook has no author.
 */
export async function undisturbedAmong(
  unit: UnitOfWork,
  author: string | null,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const active = [...(await unit.house.activity.activeAmong(userIds))];
  const always = await alwaysPushed(unit.db, active);
  return new Set([
    ...(author === null ? [] : await blockersAmong(unit.db, author, userIds)),
    ...(await doNotDisturbAmong(unit.db, userIds)),
    ...active.filter((id) => !always.has(id)),
  ]);
}

function mentions(message: MessagesTable, userId: string, roleIds: readonly string[]): boolean {
  if (message.mentions_everyone === 1) return true;
  const [named, roles]: string[][] = [message.mention_user_ids, message.mention_role_ids].map((ids) =>
    JSON.parse(ids),
  );
  return named?.includes(userId) || roles?.some((role) => roleIds.includes(role)) || false;
}

/** About what a screen shows, in code points; with the names far below the 4 KB limit of push services. */
const bodyLength = 300;
const titleLength = 150;

/** Throws not_found when the channel is gone. `reader` is one of the recipients. */
export async function noticeOf(
  unit: UnitOfWork,
  message: MessagesTable,
  reader: string,
): Promise<Omit<Pushed, "type">> {
  const { channel } = await findChannel(unit, reader, message.channel_id);
  const { id: message_id, channel_id, server_id } = message;
  const where = await whereIs(unit, channel);
  const author = await writerOf(unit, message);
  const place = { server_id, channel_id, message_id };
  return {
    ...place,
    title: cut(author.display_name + where, titleLength),
    body: cut(await withNames(unit, message), bodyLength),
    url: unit.house.publicUrl + messagePath(place),
  };
}

/** Returns the place of a channel in words, after the name of an author; empty for a conversation without a name. */
async function whereIs(unit: UnitOfWork, { server_id, name }: VisibleChannel["channel"]): Promise<string> {
  if (server_id !== null) return ` (#${name}, ${(await existingServer(unit, server_id)).name})`;
  return name === "" ? "" : ` (${name})`;
}

/** Replaces `<@id>` by `@` and the name. */
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

/** Truncates to `most` code points, with an ellipsis at the end. */
function cut(text: string, most: number): string {
  const points = Array.from(text.slice(0, 2 * most + 2));
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
}
