// A client's copy of people: what events do to one's own profile and to those of others.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { Me, User } from "./contract.ts";
import { meUpdated, userUpdated } from "./events.ts";

/** A person as a list shows them. */
export function userAfter(user: User, frame: ServerFrame): User {
  return is(frame, userUpdated) && frame.data.id === user.id ? frame.data : user;
}

/** One's own profile. What others are told of it says nothing of what only oneself sees: that stays. */
export function meAfter(me: Me, frame: ServerFrame): Me {
  if (is(frame, meUpdated)) return frame.data;
  return is(frame, userUpdated) && frame.data.id === me.id ? { ...me, ...frame.data } : me;
}
