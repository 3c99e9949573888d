// A client's copy of people: what events change in the user's own profile, and in the profiles of others.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { Me, User } from "./contract.ts";
import { meUpdated, userUpdated } from "./events.ts";

/** Returns a person, as a list shows them, after a frame. */
export function userAfter(user: User, frame: ServerFrame): User {
  return is(frame, userUpdated) && frame.data.id === user.id ? frame.data : user;
}

/** Returns the user's own profile after a frame; USER_UPDATE, which others hear as well, has no private fields. */
export function meAfter(me: Me, frame: ServerFrame): Me {
  // Presence is live only: a replayed frame would bring back an old one.
  if (is(frame, meUpdated)) return { ...frame.data, presence: me.presence };
  return is(frame, userUpdated) && frame.data.id === me.id ? { ...me, ...frame.data } : me;
}
