// Closes notifications of messages that have been read, here or on another device.
import { useEffect } from "react";
import type { Copy } from "../../../client/copy.ts";
import { registerWorker } from "../../../web/ui/browser/worker.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";

/** The data that the service worker attaches to a notification. */
interface Noted {
  channelId?: string;
  messageId?: string;
}

/** Several channels are read together when a whole server is; they are handled in one pass. In milliseconds. */
const gatherMs = 200;

export function useReadNotices(): void {
  const readStates = useCopy((copy) => copy.readStates);
  useEffect(() => {
    const look = () => void closeRead(readStates);
    const timer = setTimeout(look, gatherMs);
    // A notification may arrive after its message was read.
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
  // Notifications that the browser does not list stay until they are clicked.
  const notices = await registration?.getNotifications().catch(() => []);
  for (const notice of notices ?? []) {
    const { channelId = "", messageId = "" } = (notice.data ?? {}) as Noted;
    const readId = readStates.get(channelId)?.last_read_id ?? "";
    if (messageId !== "" && messageId <= readId) notice.close();
  }
}
