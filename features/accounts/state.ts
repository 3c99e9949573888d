// A client's copy of people: what events do to one's own profile and to those of others.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { Me, User } from "./contract.ts";
import { userUpdated } from "./events.ts";

/** A person as a list shows them. */
export function userAfter(user: User, frame: ServerFrame): User {
  return is(frame, userUpdated) && frame.data.id === user.id ? frame.data : user;
}

/** One's own profile; what only oneself sees of it is in no event and stays. */
export function meAfter(me: Me, frame: ServerFrame): Me {
  return is(frame, userUpdated) && frame.data.id === me.id ? { ...me, ...frame.data } : me;
}
