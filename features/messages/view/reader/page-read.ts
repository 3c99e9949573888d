// Reading in pages: when the end of the newest page counts as seen.
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../../../channels/state.ts";
import { beginReading, useLooking } from "../model/reading.ts";
import type { Page } from "./pages.ts";

/** Distance from the end, in pixels, that counts as being there. */
const endPx = 24;

/**
 * Marks the channel as read while its reader is at the end of the newest page, once a page with the first new message
 * was shown. Returns a function that tells whether they are at the end.
 */
export function usePageRead(
  channel: OwnChannel,
  page: Page | undefined,
  scroll: RefObject<HTMLElement | null>,
): () => boolean {
  const [wasAtEnd, setAtEnd] = useState(false);
  const isNewest = page?.isNewest === true;
  const isAtEnd = useCallback(() => {
    const { scrollHeight = 0, clientHeight = 0, scrollTop = 0 } = scroll.current ?? {};
    return isNewest && scrollHeight - clientHeight - scrollTop <= endPx;
  }, [isNewest, scroll]);
  useEffect(() => beginReading(channel.id, undefined), [channel.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer page ends elsewhere.
  useEffect(() => {
    const { current } = scroll;
    const look = () => setAtEnd(isAtEnd());
    look();
    current?.addEventListener("scroll", look);
    return () => current?.removeEventListener("scroll", look);
  }, [scroll, isAtEnd, page]);
  const markerId = useCopy((copy) => copy.readStates.get(channel.id)?.last_read_id);
  const oldestId = page?.messages.at(-1)?.id ?? "";
  const hasFirst = useRef(false);
  hasFirst.current ||= page !== undefined && (!page.hasOlder || oldestId <= (markerId ?? ""));
  useLooking({
    channelId: channel.id,
    isAtNewest: wasAtEnd && isNewest && hasFirst.current,
    newestId: page?.messages[0]?.id,
    markerId,
  });
  return isAtEnd;
}
