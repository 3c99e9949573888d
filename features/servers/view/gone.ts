// Waits until a server that one has left or deleted is out of the copy: before that its pages would be asked for again.
import { useCallback } from "react";
import { useLocation } from "wouter";
import { useHouse } from "../../../web/ui/session/house.tsx";

/** The event comes at once; without a connection one goes nevertheless. */
const patienceMs = 3000;

/** Returns a function that goes to the other servers, once this one is gone. */
export function useGoOnWithout(): (serverId: string) => Promise<void> {
  const { chat } = useHouse();
  const [, navigate] = useLocation();
  return useCallback(
    async (serverId) => {
      const isGone = () => !chat.state.copy?.servers.some(({ id }) => id === serverId);
      await new Promise<void>((resolve) => {
        if (isGone()) return resolve();
        const end = () => {
          clearTimeout(timer);
          stop();
          resolve();
        };
        const stop = chat.subscribe(() => isGone() && end());
        const timer = setTimeout(end, patienceMs);
      });
      navigate("/");
    },
    [chat, navigate],
  );
}
