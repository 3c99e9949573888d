// The messages of a channel: opened where one has to read on, with what is fetched for it, or why it could not be.
import { type RefObject, useCallback, useRef } from "react";
import { useWords } from "../../../web/ui/words.ts";
import type { Channel } from "../../channels/contract.ts";
import { useArrivals } from "./arrivals.ts";
import { LoadFailed, Skeleton } from "./loading.tsx";
import { useMessageAddress } from "./message-address.ts";
import styles from "./message-list.module.css";
import { OpenList } from "./open-list.tsx";
import { useOpening } from "./opening.ts";

interface Props {
  channel: Channel;
  /** Takes what Escape does once nothing else is to be closed. */
  onEscape: RefObject<(() => void) | undefined>;
}

export function MessageList({ channel, onEscape }: Props) {
  const { messages: words } = useWords();
  const wanted = useMessageAddress();
  const near = useRef<() => string | undefined>(() => undefined);
  const { start, times, refusal, retry } = useOpening(
    channel,
    wanted?.id,
    useCallback(() => near.current(), []),
  );
  useArrivals(channel.id);
  return (
    <section aria-label={words.messages} className={styles.stream}>
      {start ? (
        <OpenList
          key={times}
          channel={channel}
          start={start}
          wanted={wanted}
          near={near}
          onEscape={onEscape}
        />
      ) : refusal ? (
        <LoadFailed refusal={refusal} onRetry={retry} />
      ) : (
        <Skeleton channelId={channel.id} />
      )}
    </section>
  );
}
