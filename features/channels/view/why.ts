// The right to ask what a member can do in a channel.
import { permission } from "../../../protocol/permissions.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";

/** True if the reader is this member, or holds MANAGE_SERVER. */
export function useMayAskWhy(permissions: number, userId: string): boolean {
  const ownId = useCopy(({ user }) => user.id);
  return userId === ownId || (permissions & permission.MANAGE_SERVER) !== 0;
}
