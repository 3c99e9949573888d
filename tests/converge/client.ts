// A client as the tests build it: READY and pages first, afterwards nothing but events, through the features' reducers.
import type { Me } from "../../features/accounts/contract.ts";
import { meAfter } from "../../features/accounts/state.ts";
import type { Channel } from "../../features/channels/contract.ts";
import { channelsAfter } from "../../features/channels/state.ts";
import type { Member } from "../../features/members/contract.ts";
import { endsMembership, memberCountAfter, membersAfter } from "../../features/members/state.ts";
import type { Message } from "../../features/messages/contract.ts";
import { lastMessagesAfter, messagesAfter, typistsAfterMessage } from "../../features/messages/state.ts";
import type { Presence } from "../../features/presence/contract.ts";
import { membersShownAfter, presencesAfter, shownAfter } from "../../features/presence/state.ts";
import { reactionsAfter } from "../../features/reactions/state.ts";
import type { Role } from "../../features/roles/contract.ts";
import { heldAfter, permissionsBy, rolesAfter } from "../../features/roles/state.ts";
import type { Server } from "../../features/servers/contract.ts";
import { serversAfter } from "../../features/servers/state.ts";
import { type Typist, typistsAfter } from "../../features/typing/state.ts";
import type { VoiceState } from "../../features/voice/contract.ts";
import { voiceAfter } from "../../features/voice/state.ts";
import type { ServerFrame } from "../../protocol/frames.ts";

export interface ServerCopy extends Server {
  channels: readonly Channel[];
  roles: readonly Role[];
  role_ids: readonly string[];
  voice: readonly VoiceState[];
  presences: readonly Presence[];
  seq: number;
}

export interface Ready {
  user: Me;
  session_id: string;
  epoch: string;
  heartbeat_interval_ms: number;
  servers: readonly ServerCopy[];
}

/** What a client knows. Pages and member lists are there once somebody looked at them. */
export interface Copy extends Ready {
  pages: ReadonlyMap<string, readonly Message[]>;
  members: ReadonlyMap<string, readonly Member[]>;
  typists: readonly Typist[];
}

export function copyFrom(ready: Ready): Copy {
  return { ...ready, pages: new Map(), members: new Map(), typists: [] };
}

/** The copy after one frame; what it has heard before changes nothing again. */
export function copyAfter(copy: Copy, frame: ServerFrame): Copy {
  const known = copy.servers.find((server) => server.id === frame.server_id);
  if (frame.seq !== undefined && (!known || frame.seq <= known.seq)) return copy;
  const user = shownAfter(meAfter(copy.user, frame), frame);
  const typists = typistsAfterMessage(typistsAfter(copy.typists, frame), frame);
  const pages = new Map(
    [...copy.pages].map(([channelId, page]) => [
      channelId,
      reactionsAfter(messagesAfter(page, channelId, frame), user.id, frame),
    ]),
  );
  const members = new Map(
    [...copy.members].map(([serverId, list]) => [
      serverId,
      serverId === frame.server_id ? membersShownAfter(membersAfter(list, frame), frame) : list,
    ]),
  );
  const newestOf = (channelId: string) => {
    const page = pages.get(channelId);
    return page && (page[0]?.id ?? null);
  };
  const servers = serversAfter(copy.servers, frame)
    .filter((server) => server.id !== frame.server_id || !endsMembership(user.id, frame))
    .map((server) =>
      server.id === frame.server_id ? serverAfter(server, user.id, frame, newestOf) : server,
    );
  return withoutOrphans({ ...copy, user, typists, servers, pages, members });
}

function serverAfter(
  server: ServerCopy,
  ownId: string,
  frame: ServerFrame,
  newestOf: (channelId: string) => string | null | undefined,
): ServerCopy {
  const roles = rolesAfter(server.roles, frame);
  const role_ids = heldAfter(server.role_ids, ownId, frame);
  return {
    ...server,
    member_count: memberCountAfter(server.member_count, frame),
    roles,
    role_ids,
    permissions: permissionsBy(server.owner_id === ownId, roles, role_ids),
    channels: lastMessagesAfter(channelsAfter(server.channels, frame), frame, newestOf),
    voice: voiceAfter(server.voice, frame),
    presences: presencesAfter(server.presences, frame),
    seq: frame.seq ?? server.seq,
  };
}

/** Pages of channels that one cannot see any more, and lists of servers that one left, are forgotten. */
function withoutOrphans(copy: Copy): Copy {
  const channelIds = new Set(copy.servers.flatMap((server) => server.channels.map((channel) => channel.id)));
  const serverIds = new Set(copy.servers.map((server) => server.id));
  return {
    ...copy,
    pages: new Map([...copy.pages].filter(([id]) => channelIds.has(id))),
    members: new Map([...copy.members].filter(([id]) => serverIds.has(id))),
  };
}
