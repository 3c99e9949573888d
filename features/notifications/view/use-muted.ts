// Whether a channel or a server is muted now. It ends by itself when its time is over: the copy is told then.
import { useCopy } from "../../../web/ui/session/house.tsx";
import { isMuted, ofServer, type Wanted } from "./levels.ts";

export function useServerMuted(serverId: string): boolean {
  const until = useCopy((copy) => ofServer(copy.notificationSettings, serverId).mutedUntil);
  return useMutedNow(until);
}

export function useMutedNow(mutedUntil: Wanted["mutedUntil"]): boolean {
  return useCopy(() => isMuted({ level: null, mutedUntil }, Date.now()));
}
