// Waits until a left or deleted server is out of the client's copy: before that, its pages would be requested again.
import { useCallback } from "react";
import { useLocation } from "wouter";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";

/** The event comes at once; without a connection the navigation happens after this time, in milliseconds. */
const patienceMs = 3000;

/** Returns a function that navigates to the other servers once this one is gone, unless the reader has left it before. */
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
      if (`${location.pathname}/`.startsWith(`${paths.server(serverId)}/`)) navigate("/");
    },
    [chat, navigate],
  );
}
