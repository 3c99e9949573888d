// A client's copy of the data it can see: from READY and fetched pages, and from then on changed by events only.
import type { Me } from "../features/accounts/contract.ts";
import { meAfter } from "../features/accounts/state.ts";
import { blockedAfter } from "../features/blocks/state.ts";
import { channelsAfter, withReader } from "../features/channels/state.ts";
import {
  type Conversations,
  conversationsAfter,
  toOwnConversation,
  withLast,
} from "../features/direct/state.ts";
import { endsMembership, memberCountAfter } from "../features/members/state.ts";
import type { Message, SharedMessage } from "../features/messages/contract.ts";
import { messageCreated, messageDeleted, messageUpdated } from "../features/messages/events.ts";
import {
  lastMessagesAfter,
  messagesAfter,
  typistsAfterMessage,
  withLastMessage,
} from "../features/messages/state.ts";
import type { NotificationSettings } from "../features/notifications/contract.ts";
import { nothingSet, notificationSettingsAfter } from "../features/notifications/state.ts";
import { presencesAfter, shownAfter } from "../features/presence/state.ts";
import { reactionsAfter } from "../features/reactions/state.ts";
import {
  heardAfter,
  type Reader,
  type ReadStates,
  readStatesAfter,
  recounted,
} from "../features/read-states/state.ts";
import { roomAfter } from "../features/ringing/state.ts";
import { heldAfter, permissionsBy, roleHolder, rolesAfter } from "../features/roles/state.ts";
import { inOrder, serverOrderAfter } from "../features/server-order/state.ts";
import { serverGained, serverUpdated } from "../features/servers/events.ts";
import { serversAfter } from "../features/servers/state.ts";
import { type Typist, typistsAfter } from "../features/typing/state.ts";
import { voiceAfter } from "../features/voice/state.ts";
import { is } from "../protocol/event.ts";
import type { ServerFrame } from "../protocol/frames.ts";
import { eachAfter, valuesAfter, withFields, without, withoutKeys } from "../protocol/unchanged.ts";
import type { Ready, ServerEntry } from "./ready.ts";
import { channelIdsIn, type OwnServer, toOwnServer } from "./servers.ts";
import { type Window, windowAfter } from "./window.ts";

/**
 * The data of a client. An event leaves the parts that it does not concern at the same reference, so that their views
 * are not rendered again.
 */
export interface Copy {
  user: Me;
  /** In the user's own order. */
  servers: readonly OwnServer[];
  /** The ids of servers in that order, as last told; those that are not among them come after. */
  serverOrder: readonly string[];
  /** The user's conversations by id. */
  direct: Conversations;
  /** Messages by channel id, once some have been fetched. */
  windows: ReadonlyMap<string, Window>;
  typists: readonly Typist[];
  /** Read states by channel id. */
  readStates: ReadStates;
  /** The people whom the user blocks, once they have been fetched. */
  blocked: readonly string[];
  /** The newest messages that were heard since READY, of channels without a window too: their authors decide what counts. */
  heard: readonly SharedMessage[];
  notificationSettings: NotificationSettings;
}

export function copyFrom({
  user,
  servers,
  direct = [],
  read_states = [],
  notification_settings,
  server_order = [],
}: Ready): Copy {
  return {
    user,
    servers: inOrder(
      servers.map((entry) => toOwnServer(user.id, entry)),
      server_order,
    ),
    serverOrder: server_order,
    direct: new Map(direct.map((each) => [each.id, toOwnConversation(user.id, each)])),
    windows: new Map(),
    typists: [],
    readStates: new Map(read_states.map((state) => [state.channel_id, state])),
    blocked: [],
    heard: [],
    notificationSettings: notification_settings ?? nothingSet,
  };
}

/**
 * Returns the copy with the messages of a channel. They also tell which message is its last one, which the event of a
 * deletion does not.
 */
export function withWindow(copy: Copy, channelId: string, window: Window): Copy {
  const windows = new Map(copy.windows).set(channelId, window);
  if (!window.live || window.isStale) return { ...copy, windows };
  const newest = window.live.messages[0] ?? null;
  const last_message_id = newest?.id ?? null;
  const servers = eachAfter(copy.servers, (server) =>
    withFields(server, { channels: withLastMessage(server.channels, channelId, last_message_id) }),
  );
  const direct = valuesAfter(copy.direct, (each) =>
    each.id === channelId && each.last_message_id !== last_message_id ? withLast(each, newest) : each,
  );
  return { ...copy, servers, direct, windows };
}

/** Returns the copy with the people whom the user blocks: what they have said since READY does not count. */
export function withBlocked(copy: Copy, blocked: readonly string[]): Copy {
  if (String(blocked) === String(copy.blocked)) return copy;
  const readStates = copy.heard.reduce(
    (states, message) => recounted(states, message, readerIn(copy, message.server_id), blocked),
    copy.readStates,
  );
  return { ...copy, blocked, readStates };
}

/** Returns the window of a channel after a new frame. */
export function channelWindowAfter(
  window: Window,
  channelId: string,
  ownId: string,
  frame: ServerFrame,
): Window {
  return windowAfter(window, is(frame, messageCreated), (messages) =>
    reactionsAfter(messagesAfter(messages, channelId, frame), ownId, frame),
  );
}

/** Returns the copy after a new frame; the same object if the frame changes nothing. */
export function copyAfter(copy: Copy, frame: ServerFrame): Copy {
  const user = shownAfter(meAfter(copy.user, frame), frame);
  const windows = valuesAfter(copy.windows, (window, channelId) =>
    channelWindowAfter(window, channelId, user.id, frame),
  );
  const newestOf = (channelId: string) => {
    const { live, isStale } = windows.get(channelId) ?? {};
    return isStale ? undefined : live && (live.messages[0] ?? null);
  };
  const left = (server: OwnServer) => server.id === frame.server_id && endsMembership(user.id, frame);
  const gained = serversAfter(copy.servers, frame, (entry: ServerEntry) => toOwnServer(user.id, entry));
  const stayed = eachAfter(without(gained, left), (server) =>
    server.id === frame.server_id ? serverAfter(server, user.id, frame, newestOf) : server,
  );
  const serverOrder = serverOrderAfter(copy.serverOrder, user.id, frame);
  const isReordered = serverOrder !== copy.serverOrder || is(frame, serverGained);
  const servers = isReordered ? inOrder(stayed, serverOrder) : stayed;
  const talks = conversationsAfter(copy.direct, user.id, frame, newestOf);
  const direct = valuesAfter(talks, (each) => roomAfter(each, frame));
  const typists = typistsAfterMessage(typistsAfter(copy.typists, frame), frame);
  const reader = readerIn(copy, frame.server_id);
  const readStates = readStatesAfter(copy.readStates, reader, messageIn(copy, frame), frame);
  const heard = heardAfter(copy.heard, copy.readStates, frame);
  const blocked = blockedAfter(copy.blocked, frame);
  const notificationSettings = notificationSettingsAfter(copy.notificationSettings, frame);
  const more = { serverOrder, readStates, heard, notificationSettings };
  const known = withFields(copy, { user, servers, direct, windows, typists, ...more });
  const after = blocked === copy.blocked ? known : withBlocked(known, blocked);
  return servers === copy.servers && direct === copy.direct ? after : withoutOrphans(after);
}

function serverAfter(
  server: OwnServer,
  ownId: string,
  frame: ServerFrame,
  newestOf: (channelId: string) => Message | null | undefined,
): OwnServer {
  const roles = rolesAfter(server.roles, frame);
  const role_ids = heldAfter(server.role_ids, ownId, frame);
  const reader = roleHolder(ownId, { ...server, roles }, role_ids);
  const changesReader = roles !== server.roles || role_ids !== server.role_ids || is(frame, serverUpdated);
  const before = changesReader ? withReader(server.channels, reader) : server.channels;
  return withFields(server, {
    member_count: memberCountAfter(server.member_count, frame),
    roles,
    role_ids,
    permissions: permissionsBy(reader),
    channels: lastMessagesAfter(channelsAfter(before, frame, reader), frame, newestOf),
    voice: voiceAfter(server.voice, frame),
    presences: presencesAfter(server.presences, frame),
  });
}

function readerIn(copy: Copy, serverId: string | null | undefined): Reader {
  const server = copy.servers.find(({ id }) => id === serverId);
  return { id: copy.user.id, roleIds: server?.role_ids ?? [], blocked: copy.blocked };
}

/** Returns the copy's version of the message that the frame is about. */
function messageIn(copy: Copy, frame: ServerFrame): SharedMessage | undefined {
  if (!is(frame, messageUpdated) && !is(frame, messageDeleted)) return undefined;
  const { live, far } = copy.windows.get(frame.data.channel_id) ?? {};
  const isIt = ({ id }: Pick<Message, "id">) => id === frame.data.id;
  return far?.messages.find(isIt) ?? live?.messages.find(isIt) ?? copy.heard.find(isIt);
}

/** Drops the data of channels that the user can no longer see. */
function withoutOrphans(copy: Copy): Copy {
  const channelIds = channelIdsIn(copy);
  return withFields(copy, {
    windows: withoutKeys(copy.windows, (id) => !channelIds.has(id)),
    readStates: withoutKeys(copy.readStates, (id) => !channelIds.has(id)),
    heard: without(copy.heard, ({ channel_id }) => !channelIds.has(channel_id)),
  });
}
