// Gives a member the roles that they are to hold from now on, all in one call.
import type { Chat } from "../../../client/chat.ts";
import { is } from "../../../protocol/event.ts";
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
    if (frame.server_id !== serverId || !is(frame, memberUpdated) || frame.data.user_id !== userId) return;
    isHeard ||= sorted(frame.data.role_ids) === sorted(role_ids);
  });
  try {
    await setMemberRoles({ params: { serverID: serverId, userID: userId }, body: { role_ids } });
    chat.catchUp();
    // Once the event was there, what came behind it is newer than the answer.
    if (!isHeard) {
      const data = { user_id: userId, role_ids };
      chat.take({ type: memberUpdated.type, server_id: serverId, data, ts: new Date().toISOString() });
      chat.catchUp();
    }
  } finally {
    end();
  }
}

function sorted(ids: readonly string[]): string {
  return [...ids].sort().join();
}
