// Every reducer of the features, each applied to its part of the scene, and the events that add to that part.

import type { ServerEntry } from "../../client/ready.ts";
import { toOwnServer } from "../../client/servers.ts";
import { meAfter, userAfter } from "../../features/accounts/state.ts";
import { blockedAfter } from "../../features/blocks/state.ts";
import { channelsAfter } from "../../features/channels/state.ts";
import { conversationsAfter } from "../../features/direct/state.ts";
import { memberCountAfter, membersAfter } from "../../features/members/state.ts";
import { lastMessagesAfter, messagesAfter, typistsAfterMessage } from "../../features/messages/state.ts";
import { notificationSettingsAfter } from "../../features/notifications/state.ts";
import { membersShownAfter, presencesAfter, shownAfter } from "../../features/presence/state.ts";
import { reactionsAfter } from "../../features/reactions/state.ts";
import { heardAfter, readStatesAfter } from "../../features/read-states/state.ts";
import { roomAfter } from "../../features/ringing/state.ts";
import { heldAfter, roleHolder, rolesAfter } from "../../features/roles/state.ts";
import { serverOrderAfter } from "../../features/server-order/state.ts";
import { serversAfter } from "../../features/servers/state.ts";
import { typistsAfter } from "../../features/typing/state.ts";
import { voiceAfter } from "../../features/voice/state.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { idOf, people, scene } from "./scene.ts";

interface Reducer {
  before: unknown;
  after(frame: ServerFrame): unknown;
  /** Events that change it whomever they are about; all others must leave it unchanged when about somebody unknown. */
  takes: readonly string[];
}

const copy = scene();
const [home] = copy.servers;
const talk = copy.direct.get(idOf("talk"));
const page = copy.windows.get(idOf("general"))?.live?.messages;
const members = people().get(idOf("home"));
if (!home || !talk || !page || !members) throw new Error("the scene is empty");
const general = idOf("general");
const reader = { id: copy.user.id, roleIds: home.role_ids, blocked: [] };

function over<T>(before: T, after: (before: T, frame: ServerFrame) => unknown, ...takes: string[]): Reducer {
  return { before, after: (frame) => after(before, frame), takes };
}

/** By the reducer's function name in its `state.ts`. */
export const reducers: Record<string, Reducer> = {
  blockedAfter: over(copy.blocked, blockedAfter, "BLOCKS_UPDATE"),
  readStatesAfter: over(
    copy.readStates,
    (before, frame) => readStatesAfter(before, reader, undefined, frame),
    "READ_STATE_UPDATE",
    "CHANNEL_CREATE",
  ),
  heardAfter: over(copy.heard, (before, frame) => heardAfter(before, copy.readStates, frame)),
  notificationSettingsAfter: over(
    copy.notificationSettings,
    notificationSettingsAfter,
    "NOTIFICATION_SETTINGS_UPDATE",
  ),
  userAfter: over(copy.user, userAfter),
  meAfter: over(copy.user, meAfter, "ME_UPDATE"),
  channelsAfter: over(
    home.channels,
    (before, frame) => channelsAfter(before, frame, roleHolder(copy.user.id, home, home.role_ids)),
    "CHANNEL_CREATE",
    "CHANNEL_UPDATE",
  ),
  conversationsAfter: over(copy.direct, (before, frame) =>
    conversationsAfter(before, copy.user.id, frame, () => null),
  ),
  roomAfter: over(talk, roomAfter),
  membersAfter: over(members, membersAfter, "SERVER_MEMBER_ADD"),
  memberCountAfter: over(3, memberCountAfter, "SERVER_MEMBER_ADD", "SERVER_MEMBER_REMOVE"),
  messagesAfter: over(page, (before, frame) => messagesAfter(before, general, frame)),
  lastMessagesAfter: over(home.channels, (before, frame) => lastMessagesAfter(before, frame, () => null)),
  typistsAfterMessage: over(copy.typists, typistsAfterMessage),
  presencesAfter: over(home.presences, presencesAfter),
  shownAfter: over(copy.user, shownAfter),
  membersShownAfter: over(members, membersShownAfter),
  reactionsAfter: over(page, (before, frame) => reactionsAfter(before, copy.user.id, frame)),
  rolesAfter: over(home.roles, rolesAfter, "ROLE_CREATE", "ROLE_UPDATE"),
  heldAfter: over(home.role_ids, (before, frame) => heldAfter(before, copy.user.id, frame)),
  serversAfter: over(
    copy.servers,
    (before, frame) => serversAfter(before, frame, (entry: ServerEntry) => toOwnServer(copy.user.id, entry)),
    "SERVER_CREATE",
  ),
  serverOrderAfter: over(
    copy.serverOrder,
    (before, frame) => serverOrderAfter(before, copy.user.id, frame),
    "SERVER_ORDER_UPDATE",
  ),
  typistsAfter: over(copy.typists, typistsAfter, "TYPING_START"),
  voiceAfter: over(home.voice, voiceAfter, "VOICE_JOIN"),
};

/** Other exports of these files. */
export const questions = [
  "nothingSet",
  "endsMembership",
  "inOrder",
  "permissionsBy",
  "roleHolder",
  "asReadBy",
  "withReader",
  "withLastMessage",
  "toOwnConversation",
  "withLast",
  "withoutTypist",
  "stillTyping",
  "recounted",
  "plainColor",
];
