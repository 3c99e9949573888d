// Whether a channel or a server is muted now. Rerenders when the mute ends.
import { useCopy } from "../../../web/ui/session/house.tsx";
import { isMuted, ofServer, type Wanted } from "./levels.ts";

export function useServerMuted(serverId: string): boolean {
  const until = useCopy((copy) => ofServer(copy.notificationSettings, serverId).mutedUntil);
  return useMutedNow(until);
}

export function useMutedNow(mutedUntil: Wanted["mutedUntil"]): boolean {
  return useCopy(() => isMuted({ level: null, mutedUntil }, Date.now()));
}
