// When the time of a muting is over nothing else happens: whatever hangs on it is looked at again then.
import { useEffect } from "react";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";

/** Timers of browsers go no further. */
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
    // One may have ended before this part was there.
    look();
    return () => clearTimeout(timer);
  }, [chat, settings]);
}
