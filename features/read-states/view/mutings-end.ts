// Updates everything that depends on a mute when it ends, as no event tells of that.
import { useEffect } from "react";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";

/** The longest delay of a browser's timer, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

export function useMutingsEnd(): void {
  const { chat } = useHouse();
  const settings = useCopy(({ notificationSettings }) => notificationSettings);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      chat.change((copy) => ({ ...copy }));
      const left = [...settings.servers, ...settings.channels]
        .map(({ muted_until }) => Date.parse(muted_until ?? "") - Date.now())
        .filter((each) => each > 0);
      if (left.length > 0) timer = setTimeout(look, Math.min(...left, longestTimerMs));
    };
    // A mute may have ended before this module was loaded.
    look();
    return () => clearTimeout(timer);
  }, [chat, settings]);
}
