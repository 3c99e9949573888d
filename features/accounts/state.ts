// A client's copy of people: applies events to the user's own profile and to the profiles of others.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { Me, User } from "./contract.ts";
import { meUpdated, userUpdated } from "./events.ts";

/** Returns a listed person with a frame applied. */
export function userAfter(user: User, frame: ServerFrame): User {
  return is(frame, userUpdated) && frame.data.id === user.id ? frame.data : user;
}

/**
 * Returns the user's own profile with a frame applied; USER_UPDATE, which others receive as well, has no private
 * fields.
 */
export function meAfter(me: Me, frame: ServerFrame): Me {
  // Presence is sent live only: a replayed frame would restore an old one.
  if (is(frame, meUpdated)) return { ...frame.data, presence: me.presence };
  return is(frame, userUpdated) && frame.data.id === me.id ? { ...me, ...frame.data } : me;
}
