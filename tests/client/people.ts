// Applies events to the members of servers, for clients that hold all of them; a page holds only those that it needs.
import type { Member } from "../../features/members/contract.ts";
import { membersAfter } from "../../features/members/state.ts";
import { membersShownAfter } from "../../features/presence/state.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { valuesAfter } from "../../protocol/unchanged.ts";

/** The members by server id. */
export type People = ReadonlyMap<string, readonly Member[]>;

export function peopleAfter(people: People, frame: ServerFrame): People {
  return valuesAfter(people, (members, serverId) =>
    serverId === frame.server_id ? membersShownAfter(membersAfter(members, frame), frame) : members,
  );
}
