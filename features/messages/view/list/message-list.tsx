// The messages of a channel: opened where the reader left off, with a loading state, or the reason for a failure.
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { shown } from "../../../../web/ui/browser/quiet.ts";
import { unhurried } from "../../../../web/ui/loading/later.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { useMessageAddress } from "../model/message-address.ts";
import { LoadFailed, Skeleton } from "../window/loading.tsx";
import styles from "./message-list.module.css";
import { OpenList } from "./open-list.tsx";
import { useOpening } from "./opening.ts";

const Arrivals = unhurried(async () => (await import("../window/arrivals.ts")).Arrivals);

interface Props {
  channel: OwnChannel;
  /** Receives the function to call on Escape when nothing else is open to be closed. */
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
  const isThere = start !== undefined;
  useEffect(() => {
    if (isThere) shown();
  }, [isThere]);
  // While a list is loading, the lazily loaded parts of the page wait, even before its skeleton is shown.
  const isComing = !isThere && !refusal;
  return (
    <section
      id="messages"
      data-region="messages"
      aria-label={words.messages}
      aria-busy={isComing || undefined}
      className={styles.stream}
    >
      <Arrivals channelId={channel.id} />
      {start ? (
        <OpenList
          key={times}
          channel={channel}
          start={start}
          wanted={wanted}
          isBehind={Boolean(refusal?.status)}
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
