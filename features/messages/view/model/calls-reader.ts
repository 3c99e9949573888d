// Whether a message mentions its reader: by name, by a role of theirs, or by @everyone.
import type { Copy } from "../../../../client/copy.ts";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import type { SharedMessage } from "../../contract.ts";

type Called = Pick<SharedMessage, "author" | "mentions" | "server_id">;

export function callsReader({ author, mentions, server_id }: Called, { user, servers }: Copy): boolean {
  if (author.id === user.id) return false;
  if (mentions.everyone || mentions.user_ids.includes(user.id)) return true;
  if (mentions.role_ids.length === 0) return false;
  const held = servers.find(({ id }) => id === server_id)?.role_ids ?? [];
  return mentions.role_ids.some((id) => held.includes(id));
}

export function useCallsReader(message: Called): boolean {
  return useCopy((copy) => callsReader(message, copy));
}
