// A client's copy of presences: the members of a server who are not offline, and the user.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { eachAfter, withFields, without } from "../../protocol/unchanged.ts";
import type { User } from "../accounts/contract.ts";
import { userUpdated } from "../accounts/events.ts";
import type { Member } from "../members/contract.ts";
import { memberAdded, memberRemoved } from "../members/events.ts";
import type { Presence } from "./contract.ts";
import { presenceUpdated } from "./events.ts";

/** READY's `presences` of a server, after a frame. */
export function presencesAfter(presences: readonly Presence[], frame: ServerFrame): readonly Presence[] {
  if (is(frame, presenceUpdated)) return withPresence(presences, frame.data);
  if (is(frame, memberAdded)) return withPresence(presences, presenceOf(frame.data.user));
  if (is(frame, memberRemoved)) return without(presences, (each) => each.user_id === frame.data.user_id);
  if (is(frame, userUpdated)) return withPresence(presences, presenceOf(frame.data));
  return presences;
}

/** A profile includes the presence of its person. */
export function shownAfter<U extends User>(user: U, frame: ServerFrame): U {
  if (!is(frame, presenceUpdated) || frame.data.user_id !== user.id) return user;
  return withFields<User>(user, { presence: frame.data.status }) as U;
}

export function membersShownAfter(members: readonly Member[], frame: ServerFrame): readonly Member[] {
  if (!is(frame, presenceUpdated)) return members;
  return eachAfter(members, (member) => withFields(member, { user: shownAfter(member.user, frame) }));
}

function presenceOf(user: User): Presence {
  return { user_id: user.id, status: user.presence, status_text: user.status_text };
}

function withPresence(presences: readonly Presence[], presence: Presence): readonly Presence[] {
  const isTheirs = (each: Presence) => each.user_id === presence.user_id;
  if (presence.status === "offline") return without(presences, isTheirs);
  if (!presences.some(isTheirs)) return [...presences, presence];
  return eachAfter(presences, (each) => (isTheirs(each) ? withFields(each, presence) : each));
}
