// Whether a channel or a server is muted now: it ends by itself when its time is over.
import { useEffect, useState } from "react";
import { channelIn, useCopy } from "../../../web/ui/house.tsx";
import { isMuted, ofChannel, ofServer, type Wanted } from "./levels.ts";

/** Also when its server is. */
export function useMuted(channelId: string): boolean {
  const serverId = useCopy((copy) => channelIn(copy, channelId)?.server_id);
  const isServerMuted = useServerMuted(serverId ?? "");
  const until = useCopy((copy) => ofChannel(copy.notificationSettings, channelId).mutedUntil);
  return useMutedNow(until) || isServerMuted;
}

export function useServerMuted(serverId: string): boolean {
  const until = useCopy((copy) => ofServer(copy.notificationSettings, serverId).mutedUntil);
  return useMutedNow(until);
}

/** Timers of browsers go no further. */
const longestTimerMs = 2 ** 31 - 1;

export function useMutedNow(mutedUntil: Wanted["mutedUntil"]): boolean {
  const [, setLooks] = useState(0);
  const isNow = isMuted({ level: null, mutedUntil }, Date.now());
  useEffect(() => {
    if (!isNow || mutedUntil === null) return;
    const left = Math.min(Date.parse(mutedUntil) - Date.now(), longestTimerMs);
    const timer = setTimeout(() => setLooks((looks) => looks + 1), left);
    return () => clearTimeout(timer);
  });
  return isNow;
}
