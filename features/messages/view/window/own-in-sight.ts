// Own new messages are scrolled into view.
import { useEffect, useRef } from "react";
import { useUnsent } from "../../../../web/ui/session/house.tsx";

export function useOwnInSight(channelId: string, toPresent: () => void): void {
  const unsent = useUnsent();
  const newest = unsent.findLast((each) => each.channelId === channelId)?.nonce;
  const known = useRef(newest);
  useEffect(() => {
    if (newest === known.current) return;
    const isNew = newest !== undefined && unsent.at(-1)?.nonce === newest;
    known.current = newest;
    if (isNew && unsent.at(-1)?.state !== "failed") toPresent();
  }, [newest, unsent, toPresent]);
}
