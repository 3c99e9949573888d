// A client's copy of the members of a server: the loaded ones, their number, and whether the user is still one.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { eachAfter, withFields, without } from "../../protocol/unchanged.ts";
import { userAfter } from "../accounts/state.ts";
import { heldAfter } from "../roles/state.ts";
import type { Member } from "./contract.ts";
import { memberAdded, memberRemoved } from "./events.ts";

/** Returns the loaded members, in order of id, with a frame applied. */
export function membersAfter(members: readonly Member[], frame: ServerFrame): readonly Member[] {
  if (is(frame, memberAdded)) {
    const others = members.filter((member) => member.user.id !== frame.data.user.id);
    return [...others, frame.data].sort((one, other) => (one.user.id < other.user.id ? -1 : 1));
  }
  if (is(frame, memberRemoved)) return without(members, (member) => member.user.id === frame.data.user_id);
  return eachAfter(members, (member) =>
    withFields(member, {
      user: userAfter(member.user, frame),
      role_ids: heldAfter(member.role_ids, member.user.id, frame) as string[],
    }),
  );
}

export function memberCountAfter(count: number, frame: ServerFrame): number {
  if (is(frame, memberAdded)) return count + 1;
  return is(frame, memberRemoved) ? count - 1 : count;
}

/** True if the event ends this person's membership: they were removed, or left. */
export function endsMembership(userId: string, frame: ServerFrame): boolean {
  return is(frame, memberRemoved) && frame.data.user_id === userId;
}
