// Closes notifications of what has been read meanwhile, here or on another device.
import { useEffect } from "react";
import type { Copy } from "../../../client/copy.ts";
import { registerWorker } from "../../../web/ui/browser/worker.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";

/** What the service worker notes with a notification. */
interface Noted {
  channelId?: string;
  messageId?: string;
}

/** Several channels are read at once, when a whole server is: they are looked at once. */
const gatherMs = 200;

export function useReadNotices(): void {
  const readStates = useCopy((copy) => copy.readStates);
  useEffect(() => {
    const look = () => void closeRead(readStates);
    const timer = setTimeout(look, gatherMs);
    // A notification may come after its message was read.
    const onShown = ({ data }: MessageEvent) => void (data?.type === "shown" && look());
    navigator.serviceWorker?.addEventListener("message", onShown);
    return () => {
      clearTimeout(timer);
      navigator.serviceWorker?.removeEventListener("message", onShown);
    };
  }, [readStates]);
}

async function closeRead(readStates: Copy["readStates"]): Promise<void> {
  const registration = await registerWorker();
  // What the browser does not tell of stays until it is pressed.
  const notices = await registration?.getNotifications().catch(() => []);
  for (const notice of notices ?? []) {
    const { channelId = "", messageId = "" } = (notice.data ?? {}) as Noted;
    const readId = readStates.get(channelId)?.last_read_id ?? "";
    if (messageId !== "" && messageId <= readId) notice.close();
  }
}
