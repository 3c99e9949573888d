// Whether a frame has the parts that the page needs: a confused server, or something in between, may send anything.
import type { ServerFrame } from "../protocol/frames.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number";
const list: Check = (value) => Array.isArray(value);
const time: Check = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));

function having(parts: Readonly<Record<string, Check>>): Check {
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(parts).every(([name, check]) => check((value as Record<string, unknown>)[name]));
}

const channel = having({ id: text, server_id: text, name: text, type: text, position: number });
const conversation = having({ id: text, server_id: (value) => value === null, type: text, recipients: list });
const either: Check = (value) => channel(value) || conversation(value);
const role = having({ id: text, name: text, permissions: number, position: number });
const person = having({ id: text, username: text, display_name: text });
const message = having({
  id: text,
  channel_id: text,
  author: having({ id: text, display_name: text }),
  created_at: time,
  mentions: having({ user_ids: list, role_ids: list }),
  attachments: list,
  reactions: list,
});

/** Checks for frames that add lasting data. What other frames change is found by its id, or not at all. */
const brought: ReadonlyMap<string, Check> = new Map([
  ["MESSAGE_CREATE", message],
  ["MESSAGE_UPDATE", message],
  ["CHANNEL_CREATE", either],
  ["CHANNEL_UPDATE", either],
  ["CHANNEL_OVERRIDES_UPDATE", having({ channel_id: text, overrides: list })],
  ["ROLE_CREATE", role],
  ["ROLE_UPDATE", role],
  ["SERVER_CREATE", having({ id: text, name: text, channels: list, roles: list, role_ids: list })],
  ["SERVER_UPDATE", having({ id: text, name: text })],
  ["SERVER_MEMBER_ADD", having({ user: person, role_ids: list })],
  ["SERVER_MEMBER_UPDATE", having({ user_id: text, role_ids: list })],
  ["USER_UPDATE", person],
  ["ME_UPDATE", person],
  ["PRESENCE_UPDATE", having({ user_id: text, status: text })],
  ["TYPING_START", having({ channel_id: text, user_id: text })],
  ["VOICE_JOIN", having({ user_id: text, channel_id: text })],
  ["CALL_RING", having({ channel_id: text, user_id: text, until: time })],
  ["CALL_END", having({ channel_id: text, reason: text })],
  ["READ_STATE_UPDATE", having({ channel_id: text })],
  ["REACTION_ADD", having({ message_id: text, emoji: text })],
  ["BLOCKS_UPDATE", having({ user_ids: list })],
  ["SERVER_ORDER_UPDATE", having({ server_ids: list })],
  ["NOTIFICATION_SETTINGS_UPDATE", having({ servers: list, channels: list })],
]);

export function makesSense({ type, data }: ServerFrame): boolean {
  return brought.get(type)?.(data) ?? true;
}
