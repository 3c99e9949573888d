// Gives a member the roles that they are to hold from now on, all in one call.
import type { Chat } from "../../../client/chat.ts";
import { ready } from "../../../client/ready.ts";
import { is } from "../../../protocol/event.ts";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { setMemberRoles } from "../../roles/calls.ts";
import { memberUpdated } from "../../roles/events.ts";

/** The page knows by the answer what holds: the event may come after the next call, which replaces all roles again. */
export async function giveRoles(
  chat: Chat,
  serverId: string,
  userId: string,
  role_ids: string[],
): Promise<void> {
  let isHeard = false;
  const end = chat.listen((frame) => {
    // After a READY the members are fetched again, or the event is still to come.
    isHeard ||= is(frame, ready) || gives(frame, serverId, userId, role_ids);
  });
  try {
    await setMemberRoles({ params: { serverID: serverId, userID: userId }, body: { role_ids } });
    chat.catchUp();
    // Once the event or a READY was there, what came behind it is newer than the answer.
    if (!isHeard) {
      const data = { user_id: userId, role_ids };
      chat.take({ type: memberUpdated.type, server_id: serverId, data, ts: new Date().toISOString() });
      chat.catchUp();
    }
  } finally {
    end();
  }
}

function gives(frame: ServerFrame, serverId: string, userId: string, roleIds: readonly string[]): boolean {
  if (frame.server_id !== serverId || !is(frame, memberUpdated)) return false;
  return frame.data.user_id === userId && sorted(frame.data.role_ids) === sorted(roleIds);
}

function sorted(ids: readonly string[]): string {
  return [...ids].sort().join();
}
