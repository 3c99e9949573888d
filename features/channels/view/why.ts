// Of whom the reader may ask what they can do in a channel.
import { permission } from "../../../protocol/permissions.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";

/** True for oneself, and for people who hold MANAGE_SERVER. */
export function useMayAskWhy(permissions: number, userId: string): boolean {
  const ownId = useCopy(({ user }) => user.id);
  return userId === ownId || (permissions & permission.MANAGE_SERVER) !== 0;
}
