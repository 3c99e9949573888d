// Sends the typing signal over the socket, no more often than others need it.
import { useCallback, useRef } from "react";
import { useHouse } from "../../../web/ui/session/house.tsx";

const everyMs = 3000;

/** Returns the functions to call on each input, and after sending. */
export function useTypingSignal(channelId: string): { wrote(): void; sent(): void } {
  const { chat } = useHouse();
  const last = useRef(Number.NEGATIVE_INFINITY);
  const wrote = useCallback(() => {
    const now = performance.now();
    if (now - last.current < everyMs) return;
    if (chat.connection.say("TYPING_START", { channel_id: channelId })) last.current = now;
  }, [chat, channelId]);
  const sent = useCallback(() => {
    last.current = Number.NEGATIVE_INFINITY;
  }, []);
  return { wrote, sent };
}
