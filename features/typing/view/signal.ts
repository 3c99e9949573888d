// The sign that one is writing: over the socket, and not more often than others need it.
import { useCallback, useRef } from "react";
import { useHouse } from "../../../web/ui/session/house.tsx";

const everyMs = 3000;

/** Returns what to call whenever somebody writes here, and what to call when it was sent. */
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
